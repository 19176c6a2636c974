import { calling, type ScriptedReply, ScriptedWebhooks, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { ring } = phoneCalls();
const story = 'One two three four five six seven eight nine ten eleven twelve.';
/** The scripted TTS takes 50 ms per letter. */
const storyFrames = Math.ceil((story.length * 50) / 20);

function types(call: PhoneCall): string[] {
  return call.notices.map(({ type }) => type);
}

describe('speech while the agent speaks', () => {
  it('pauses the agent after 500 ms, which resumes with the next sample after a noise', async () => {
    const call = await ring({ agent: { first_message: story }, stt: scriptedStt({ turns: [] }) });
    await call.quiet(500);
    await call.speak(520);
    const heldAt = call.agentFrames();
    expect(types(call)).toContain('interrupted');
    await call.speak(180);
    await call.quiet(1_960);
    expect(call.agentFrames()).toBe(heldAt);
    await call.quiet(60);
    expect(types(call)).toContain('resumed');
    await call.quiet(4_000);
    expect(call.agentFrames()).toBe(storyFrames);
    expect(call.notices).toContainEqual({ type: 'agent-spoke', full: story, heard: story, interrupted: false });
    call.incoming.leave();
    await call.quiet(40);
    const { messages, latency } = await call.stored();
    expect(messages).toEqual([{ role: 'assistant', content: story }]);
    expect(latency?.interruptions_ms).toEqual([500]);
  });

  it('interrupts with its first word, and the transcript ends where playout stopped', async () => {
    const call = await ring({
      agent: { first_message: story },
      stt: scriptedStt({ turns: ['wait a moment'] }),
      llm: scriptedLlm([saying('Yes?')]),
    });
    await call.quiet(500);
    await call.speak(600);
    const held = call.agentFrames();
    call.stt.streams[0]?.emit({ type: 'partial', text: 'wait' });
    await call.speak(300);
    expect(call.agentFrames()).toBe(held);
    await call.quiet(1_500);
    call.incoming.leave();
    await call.quiet(40);
    const { messages } = await call.stored();
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
    // A word counts once half of its letters were played.
    const playedLetters = (held * 20) / 50;
    expect(story.slice(0, playedLetters)).toContain(messages[0]?.content.slice(0, -4));
    expect(types(call).filter((type) => type === 'interrupted')).toHaveLength(1);
    expect(types(call)).not.toContain('resumed');
  });

  it('does not interrupt when it is a backchannel', async () => {
    const call = await ring({ agent: { first_message: story }, stt: scriptedStt({ turns: ['uh-huh'] }) });
    await call.quiet(300);
    await call.speak(400);
    call.stt.streams[0]?.emit({ type: 'partial', text: 'uh-huh' });
    await call.speak(400);
    await call.quiet(4_000);
    expect(types(call)).not.toContain('interrupted');
    expect(call.agentFrames()).toBe(storyFrames);
    expect(call.llm.requests).toHaveLength(0);
    expect((await call.stored()).messages).toEqual([]);
    call.incoming.leave();
    await call.quiet(40);
    expect((await call.stored()).messages).toContainEqual({ role: 'user', content: 'uh-huh' });
  });

  it('does not interrupt when a backchannel is recognized after the agent has paused', async () => {
    const call = await ring({ agent: { first_message: story }, stt: scriptedStt({ turns: ['mm-hmm'] }) });
    await call.quiet(300);
    await call.speak(600);
    expect(types(call)).toContain('interrupted');
    await call.quiet(700);
    expect(types(call)).toContain('resumed');
    await call.quiet(4_000);
    expect(call.agentFrames()).toBe(storyFrames);
    expect(call.llm.requests).toHaveLength(0);
  });

  it('is the answer to a question that the agent is asking, which plays to its end', async () => {
    const question = 'Shall I book the table for eight o clock then?';
    const call = await ring({
      agent: { first_message: question },
      stt: scriptedStt({ turns: ['yeah'] }),
      llm: scriptedLlm([saying('Done.')]),
    });
    await call.quiet(1_600);
    await call.speak(300);
    await call.quiet(2_000);
    expect(types(call)).not.toContain('interrupted');
    expect(call.llm.requests[0]?.messages.slice(-2)).toEqual([
      { role: 'assistant', content: question },
      { role: 'user', content: 'yeah' },
    ]);
  });

  it('interrupts with a backchannel when ignore_backchannels is off', async () => {
    const call = await ring({
      agent: { first_message: story, speech_config: { interruption: { ignore_backchannels: false } } },
      stt: scriptedStt({ turns: ['uh-huh'] }),
    });
    await call.quiet(300);
    await call.speak(400);
    call.stt.streams[0]?.emit({ type: 'partial', text: 'uh-huh' });
    await call.speak(200);
    await call.quiet(1_000);
    expect(call.llm.requests).toHaveLength(1);
  });

  it('stops the agent for good when resume_after_ms is 0', async () => {
    const call = await ring({
      agent: { first_message: story, speech_config: { interruption: { resume_after_ms: 0 } } },
      stt: scriptedStt({ turns: [] }),
    });
    await call.quiet(500);
    await call.speak(600);
    const stopped = call.agentFrames();
    await call.quiet(5_000);
    expect(call.agentFrames()).toBe(stopped);
    expect(types(call)).not.toContain('resumed');
  });

  it('pauses the agent as long as it lasts', async () => {
    const call = await ring({ agent: { first_message: story }, stt: scriptedStt({ turns: [] }) });
    await call.quiet(500);
    await call.speak(4_000);
    expect(types(call)).not.toContain('resumed');
    await call.quiet(2_100);
    expect(types(call)).toContain('resumed');
  });

  it('cancels pending tool calls when it interrupts, and only delays them when it is a noise', async () => {
    const agent = {
      llm_config: { provider: 'scripted', tools: [{ type: 'endCall' }, { type: 'function', name: 'lookup' }] },
    };
    const talking: ScriptedReply = [...saying(`${story} `), 1_300, ...calling('lookup'), ...calling('endCall')];
    const interrupted = await ring({
      agent,
      stt: scriptedStt({ turns: ['tell me more', 'wait'] }),
      llm: scriptedLlm([talking, saying('Yes?')]),
    });
    await interrupted.speak(400);
    await interrupted.quiet(900);
    await interrupted.speak(1_200);
    await interrupted.quiet(3_000);
    expect(interrupted.webhooks.of('tool-calls')).toHaveLength(0);
    expect(interrupted.ended).toBeNull();
    expect(interrupted.tts.utterances.at(-1)).toEqual(['Yes?']);

    const delayed = await ring({
      agent,
      stt: scriptedStt({ turns: ['tell me more'] }),
      llm: scriptedLlm([talking]),
    });
    await delayed.speak(400);
    await delayed.quiet(900);
    await delayed.speak(1_200);
    await delayed.quiet(1_900);
    expect(delayed.webhooks.of('tool-calls')).toHaveLength(0);
    await delayed.quiet(200);
    expect(delayed.webhooks.of('tool-calls')).toHaveLength(1);
    await delayed.quiet(6_000);
    expect(delayed.ended).toMatchObject({ end_reason: 'agent_hangup' });
    expect(delayed.ended?.messages.at(-1)).toEqual({ role: 'assistant', content: story });
  });

  it('does not interrupt while a tool runs when during_tools is off', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.outcome = () => new Promise(() => {});
    const call = await ring({
      agent: {
        llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'lookup', message: story }] },
        speech_config: { interruption: { during_tools: false } },
      },
      webhooks,
      stt: scriptedStt({ turns: ['look it up', 'hurry up'] }),
      llm: scriptedLlm([calling('lookup'), saying('Found.')]),
    });
    await call.speak(400);
    await call.quiet(800);
    await call.speak(800);
    expect(types(call)).not.toContain('interrupted');
  });

  it('does not interrupt within echo_warmup_ms', async () => {
    const call = await ring({
      agent: { first_message: story, speech_config: { interruption: { echo_warmup_ms: 2_000 } } },
      stt: scriptedStt({ turns: [] }),
    });
    await call.quiet(200);
    await call.speak(1_000);
    await call.quiet(300);
    expect(types(call)).not.toContain('interrupted');
    await call.quiet(700);
    await call.speak(560);
    expect(types(call)).toContain('interrupted');
  });
});
