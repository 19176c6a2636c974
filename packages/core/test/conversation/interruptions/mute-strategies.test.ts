import {
  calling,
  ScriptedWebhooks,
  saying,
  scriptedLlm,
  scriptedRealtime,
  scriptedStt,
  scriptedTts,
} from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall, PhoneCallOptions } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { ring } = phoneCalls();
/** The greeting takes about 2.5 s, the story about 3.5 s. */
const greeting = 'Good evening this is the bakery on the corner now.';
const story = 'Once upon a time there was a harbour with a ship in it and a cook on it.';

async function muting(strategies: readonly string[], options: PhoneCallOptions = {}): Promise<PhoneCall> {
  return await ring({
    stt: scriptedStt({ turns: ['first turn', 'second turn', 'third turn'] }),
    llm: scriptedLlm([saying(story)]),
    tts: scriptedTts({ timings: false }),
    ...options,
    agent: {
      first_message: greeting,
      speech_config: { interruption: { mute_strategies: strategies }, normalize_text: false },
      ...options.agent,
    },
  });
}

const userTurns = (call: PhoneCall): string[] =>
  call.notices.flatMap((notice) => (notice.type === 'user-turn' ? [notice.text] : []));
const types = (call: PhoneCall): string[] => call.notices.map(({ type }) => type);

describe('a muted caller', () => {
  it.each(['first_speech', 'until_first_bot_complete'])(
    'is ignored during the first message (%s), and heard afterwards',
    async (strategy) => {
      const call = await muting([strategy]);
      await call.quiet(300);
      await call.speak(900);
      await call.quiet(3_500);
      expect(types(call)).not.toContain('interrupted');
      expect(types(call)).not.toContain('user-speaking');
      expect(userTurns(call)).toEqual([]);
      expect(call.notices).toContainEqual(expect.objectContaining({ type: 'agent-spoke', interrupted: false }));
      await call.speak(500);
      await call.quiet(2_000);
      expect(userTurns(call)).toEqual(['first turn']);
      // Later messages can be interrupted.
      await call.speak(900);
      expect(types(call)).toContain('interrupted');
    },
  );

  it('is ignored before the first audio only with until_first_bot_complete', async () => {
    const tts = scriptedTts({ delayMs: 3_000 });
    const early = await muting(['until_first_bot_complete'], { tts });
    await early.speak(600);
    await early.quiet(1_000);
    expect(userTurns(early)).toEqual([]);
    const first = await muting(['first_speech'], { tts: scriptedTts({ delayMs: 3_000 }) });
    await first.speak(600);
    await first.quiet(1_000);
    expect(userTurns(first)).toEqual(['first turn']);
  });

  it('is heard at once when the agent has no first message', async () => {
    const call = await muting(['until_first_bot_complete'], { agent: { first_message: null } });
    await call.speak(600);
    await call.quiet(1_500);
    expect(userTurns(call)).toEqual(['first turn']);
  });

  it('is ignored while a tool runs, and heard again with its result', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.outcome = async (message) => {
      if (message.event === 'tool-calls') await new Promise<void>((resolve) => call.clock.setTimer(3_000, resolve));
      return { ok: true, status: 200, body: { result: 'found' }, latencyMs: 1 };
    };
    const call: PhoneCall = await muting(['function_call'], {
      webhooks,
      llm: scriptedLlm([calling('lookup'), saying('Here it is.')]),
      agent: {
        first_message: null,
        llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'lookup' }] },
      },
    });
    await call.speak(400);
    await call.quiet(1_200);
    await call.speak(800);
    await call.quiet(4_000);
    expect(userTurns(call)).toEqual(['first turn']);
    expect(call.llm.requests).toHaveLength(2);
    await call.speak(400);
    await call.quiet(2_000);
    expect(userTurns(call)).toHaveLength(2);
  });

  it('never interrupts when always muted during agent speech', async () => {
    const call = await muting(['always']);
    await call.quiet(2_700);
    await call.speak(400);
    await call.quiet(2_000);
    expect(call.agentFrames()).toBeGreaterThan(150);
    await call.speak(1_000);
    await call.quiet(4_000);
    expect(types(call)).not.toContain('interrupted');
    expect(userTurns(call)).toEqual(['first turn']);
  });

  it('who speaks on after the mute starts a turn at its end', async () => {
    const call = await muting(['always']);
    await call.quiet(1_500);
    await call.speak(2_500);
    expect(types(call)).not.toContain('interrupted');
    await call.quiet(2_000);
    expect(userTurns(call)).toEqual(['first turn']);
    const turn = call.notices.find((notice) => notice.type === 'latency');
    expect(turn).toBeDefined();
  });

  it('is not transcribed: the STT receives silence', async () => {
    const call = await muting(['always']);
    const sent: number[] = [];
    const [stream] = call.stt.streams;
    if (stream === undefined) throw new Error('no STT stream is open');
    const send = stream.send.bind(stream);
    stream.send = (audio) => {
      sent.push(audio[0] ?? 0);
      send(audio);
    };
    await call.quiet(300);
    await call.speak(500);
    expect(new Set(sent)).toEqual(new Set([0xff]));
    await call.quiet(3_000);
    await call.speak(100);
    expect(sent.at(-1)).toBe(0x10);
  });

  it('keeps the words from before the mute', async () => {
    const call = await muting(['always'], { agent: { first_message: null }, stt: scriptedStt() });
    await call.quiet(100);
    await call.speak(400);
    call.stt.streams[0]?.emit({ type: 'partial', text: 'I would like' });
    const { id } = await call.stored();
    await call.va.operations.calls.control(call.orgId, id, { type: 'say', content: 'One moment please.' });
    await call.speak(600);
    expect(userTurns(call)).toEqual(['I would like']);
    call.stt.streams[0]?.emit({ type: 'partial', text: 'something else' });
    await call.quiet(3_000);
    expect(userTurns(call)).toEqual(['I would like']);
    expect(call.llm.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'I would like' });
  });

  it('can still press keys', async () => {
    const call = await muting(['always']);
    await call.quiet(300);
    for (const digit of '12#') call.incoming.press(digit);
    await call.quiet(4_000);
    expect(userTurns(call)).toEqual(['[keys pressed: 12]']);
    expect(types(call)).not.toContain('interrupted');
  });

  it('is not heard by a speech-to-speech model', async () => {
    const realtime = scriptedRealtime({ turns: ['second'], responses: [saying('Yes.')] });
    const call = await muting(['first_speech'], {
      realtime,
      agent: { stt_config: null, tts_config: null, llm_config: { provider: 'scripted_realtime' } },
    });
    await call.quiet(500);
    await call.speak(900);
    await call.quiet(3_000);
    expect(realtime.sessions[0]?.commands.map(({ type }) => type)).toEqual(['respond']);
    await call.speak(500);
    await call.quiet(2_000);
    const commit = realtime.sessions[0]?.commands.find((command) => command.type === 'commit');
    // Contains the second speech with its lead-in and trailing silence, and nothing of the first speech.
    expect(commit?.type === 'commit' && commit.bytes / 8).toBeLessThan(1_600);
    expect(types(call)).not.toContain('interrupted');
  });
});
