import {
  calling,
  type ScriptedRealtime,
  type ScriptedRealtimeOptions,
  ScriptedWebhooks,
  saying,
  scriptedRealtime,
} from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { NewControlCommand } from '../../src/domain/calls/call-control.ts';
import type { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();
const story = 'One two three four five six seven eight nine ten eleven twelve.';

async function ringRealtime(
  options: ScriptedRealtimeOptions & { agent?: Record<string, unknown>; llm?: Record<string, unknown> } = {},
  webhooks = new ScriptedWebhooks(),
): Promise<{ call: PhoneCall; realtime: ScriptedRealtime; commands: () => readonly { type: string }[] }> {
  const realtime = scriptedRealtime(options);
  const llm_config = {
    provider: 'scripted_realtime',
    voice: 'eve',
    messages: [{ role: 'system', content: 'Be brief.' }],
    ...options.llm,
  };
  const agent = { stt_config: null, tts_config: null, llm_config, ...options.agent };
  const call = await ring({ agent, realtime, webhooks });
  return { call, realtime, commands: () => realtime.sessions[0]?.commands ?? [] };
}

function types(call: PhoneCall): string[] {
  return call.notices.map(({ type }) => type);
}

describe('a speech-to-speech model', () => {
  it('greets, listens, answers and is reported like a cascaded pipeline, without STT and TTS', async () => {
    const { call, realtime, commands } = await ringRealtime({
      turns: ['what time is it'],
      responses: [saying('It is noon.')],
      agent: { first_message: 'Hello.' },
    });
    await call.quiet(1_000);
    await call.speak(800);
    await call.quiet(2_500);
    call.incoming.leave();
    await call.quiet(100);
    const stored = await call.stored();
    expect(stored.messages).toEqual([
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'what time is it' },
      { role: 'assistant', content: 'It is noon.' },
    ]);
    expect(stored).toMatchObject({ status: 'ended', end_reason: 'user_hangup', error: null });
    expect(stored.latency?.turns).toHaveLength(1);
    expect(call.webhooks.of('end-of-call-report')).toHaveLength(1);
    expect(realtime.sessions[0]?.options).toMatchObject({ instructions: 'Be brief.', config: { voice: 'eve' } });
    expect(realtime.sessions[0]?.closed).toBe(true);
    expect(commands().map(({ type }) => type)).toEqual(['respond', 'commit', 'respond']);
    expect(commands()[0]).toMatchObject({ say: 'Hello.', withTools: false });
  });

  it('receives the speech with a short lead-in, and no silence before it', async () => {
    const { call, commands } = await ringRealtime({ turns: ['hi'] });
    await call.quiet(5_000);
    await call.speak(800);
    await call.quiet(3_000);
    // 400 ms of lead-in, the speech, and the 550 ms of silence that end it.
    const [commit] = commands();
    expect(commit).toMatchObject({ type: 'commit' });
    const ms = (commit as { bytes: number } | undefined)?.bytes ?? 0;
    expect(ms / 8).toBeGreaterThan(1_500);
    expect(ms / 8).toBeLessThan(1_800);
  });

  it('answers before the transcript arrives, which is stored in the order of speech', async () => {
    const { call } = await ringRealtime({
      turns: ['first question', 'second question'],
      wordsDelayMs: 4_000,
      responses: [saying('One.'), saying('Two.')],
    });
    await call.speak(600);
    await call.quiet(1_500);
    await call.speak(600);
    await call.quiet(1_500);
    expect(types(call).filter((type) => type === 'agent-spoke')).toHaveLength(2);
    await call.quiet(4_000);
    call.incoming.leave();
    await call.quiet(40);
    expect((await call.stored()).messages).toEqual([
      { role: 'user', content: 'first question' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'second question' },
      { role: 'assistant', content: 'Two.' },
    ]);
  });

  it('is cancelled and truncated to the heard audio when the caller interrupts', async () => {
    const { call, commands } = await ringRealtime({
      turns: ['tell me', 'stop it'],
      responses: [saying(story), saying('Stopped.')],
    });
    await call.speak(400);
    await call.quiet(1_560);
    const from = call.agentFrames();
    expect(from).toBeGreaterThan(0);
    await call.speak(600);
    await call.quiet(1_500);
    call.incoming.leave();
    await call.quiet(40);
    const { messages } = await call.stored();
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(story.startsWith(messages[1]?.content ?? '-')).toBe(true);
    expect(messages[1]?.content.length).toBeLessThan(story.length);
    const truncate = commands().find(({ type }) => type === 'truncate') as { heardMs: number } | undefined;
    expect(truncate?.heardMs).toBeGreaterThan(0);
    expect(truncate?.heardMs).toBeLessThan(story.length * 50);
    expect((truncate?.heardMs ?? 1) % 20).toBe(0);
  });

  it('resumes after a noise', async () => {
    const { call } = await ringRealtime({ turns: ['tell me', ''], responses: [saying(story)] });
    await call.speak(400);
    await call.quiet(1_560);
    await call.speak(600);
    expect(types(call)).toContain('interrupted');
    await call.quiet(6_000);
    expect(types(call)).toContain('resumed');
    expect(call.agentFrames()).toBe(Math.ceil((story.length * 50) / 20));
  });

  it('runs its tools on the customer’s server, and receives each result once', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.answer = () => ({ result: { free: true } });
    const { call, commands } = await ringRealtime(
      {
        turns: ['is it free'],
        responses: [calling('lookup', { day: 'Monday' }), saying('It is free.')],
        llm: { tools: [{ type: 'function', name: 'lookup', message: 'One moment.' }] },
      },
      webhooks,
    );
    await call.speak(400);
    await call.quiet(3_000);
    expect(webhooks.of('tool-calls')).toHaveLength(1);
    expect(commands().filter(({ type }) => type === 'tool-result')).toEqual([
      { type: 'tool-result', callId: 'call-lookup', output: '{"free":true}' },
    ]);
    expect(call.notices).toContainEqual({
      type: 'agent-spoke',
      full: 'It is free.',
      heard: 'It is free.',
      interrupted: false,
    });
  });

  it('ends the call after its goodbye when it calls endCall', async () => {
    const { call } = await ringRealtime({
      turns: ['bye'],
      responses: [[...saying('Goodbye now.'), ...calling('endCall')]],
      llm: { tools: [{ type: 'endCall' }] },
    });
    await call.speak(400);
    await call.quiet(4_000);
    expect(call.ended).toMatchObject({ status: 'ended', end_reason: 'agent_hangup' });
    expect(call.agentFrames()).toBe(('Goodbye now.'.length * 50) / 20);
  });

  it('executes every control command', async () => {
    const { call, commands } = await ringRealtime({ turns: [], responses: [saying('I was told.')] });
    await call.quiet(500);
    const [record] = (await call.va.operations.calls.list(call.orgId, {})).calls;
    const control = async (command: NewControlCommand): Promise<unknown> =>
      await call.va.operations.calls.control(call.orgId, record?.id ?? '', command);
    await control({ type: 'say', content: 'We close in five minutes.' });
    await call.quiet(2_000);
    await control({ type: 'inject-context', content: 'The caller is Jan.', trigger_response: true });
    await call.quiet(2_000);
    await control({ type: 'set-variables', variables: { name: 'Jan' } });
    await control({ type: 'mute-assistant' });
    await control({ type: 'unmute-assistant' });
    await control({ type: 'end-call', message: 'Goodbye.' });
    await call.quiet(3_000);
    expect(commands()).toMatchObject([
      { type: 'respond', say: 'We close in five minutes.' },
      { type: 'message', role: 'system', text: 'The caller is Jan.' },
      { type: 'respond', say: null },
      { type: 'instructions', text: 'Be brief.' },
      { type: 'respond', say: 'Goodbye.' },
    ]);
    expect(call.ended).toMatchObject({ end_reason: 'api_hangup' });
    expect(call.ended?.messages.map(({ content }) => content)).toEqual([
      'We close in five minutes.',
      'I was told.',
      'Goodbye.',
    ]);
  });

  it('receives pressed keys as a message', async () => {
    const { call, commands } = await ringRealtime({ responses: [saying('Thank you.')] });
    for (const digit of '42#') call.incoming.press(digit);
    await call.quiet(1_500);
    expect(commands()).toMatchObject([
      { type: 'message', role: 'user', text: '[keys pressed: 42]' },
      { type: 'respond', say: null },
    ]);
  });

  it('sends silence prompts and then ends the call', async () => {
    const { call, commands } = await ringRealtime({ agent: { first_message: 'Hello.' } });
    await call.quiet(45_000);
    expect(commands().map((command) => ('say' in command ? command.say : null))).toEqual([
      'Hello.',
      'Are you still there?',
      'Hello? I cannot hear you.',
    ]);
    expect(call.ended).toMatchObject({ end_reason: 'silence_timeout' });
  });

  it('retries a failed response once, and then fails the call', async () => {
    const first = await ringRealtime({ turns: ['hello'], responses: [[new Error('lost')], saying('Here I am.')] });
    await first.call.speak(400);
    await first.call.quiet(3_000);
    expect(first.call.notices).toContainEqual({
      type: 'agent-spoke',
      full: 'Here I am.',
      heard: 'Here I am.',
      interrupted: false,
    });
    const second = await ringRealtime({ turns: ['hello'], responses: [[new Error('lost')]] });
    await second.call.speak(400);
    await second.call.quiet(3_000);
    expect(second.call.ended).toMatchObject({ status: 'failed', end_reason: 'llm_error', error: 'lost' });
  });

  it('fails the call with the error of the lost session', async () => {
    const { call, realtime } = await ringRealtime();
    await call.quiet(500);
    realtime.sessions[0]?.fail(new Error('The provider is gone.'));
    await call.quiet(100);
    expect(call.ended).toMatchObject({ status: 'failed', end_reason: 'llm_error', error: 'The provider is gone.' });
  });
});
