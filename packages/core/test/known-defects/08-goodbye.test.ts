import {
  calling,
  type ScriptedReply,
  saying,
  scriptedLlm,
  scriptedRealtime,
  scriptedStt,
  scriptedTts,
} from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall, PhoneCallOptions } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();
const goodbye = 'Goodbye, and thank you for calling us today.';
/** The scripted TTS takes 50 ms per letter. */
const goodbyeFrames = Math.ceil((goodbye.length * 50) / 20);
const endsCall: ScriptedReply = [...saying(goodbye), ...calling('endCall')];
const endCall = { type: 'endCall' };

const cascade = (tts = scriptedTts()): PhoneCallOptions => ({
  tts,
  stt: scriptedStt({ turns: ['That is all.', 'Wait, one more thing.'] }),
  llm: scriptedLlm([endsCall, saying('Yes?')]),
  agent: { llm_config: { provider: 'scripted', tools: [endCall] } },
});
const realtime = (): PhoneCallOptions => ({
  realtime: scriptedRealtime({ turns: ['That is all.', 'Wait.'], responses: [endsCall, saying('Yes?')] }),
  agent: {
    stt_config: null,
    tts_config: null,
    llm_config: { provider: 'scripted_realtime', tools: [endCall] },
  },
});

/** Runs until the agent hangs up; returns the number of silent frames after the last audio. */
async function untilHungUp(call: PhoneCall, step: () => Promise<void>): Promise<number> {
  for (let passed = 0; passed < 40_000 && call.incoming.end === null; passed += 20) await step();
  expect(call.incoming.end).not.toBeNull();
  const sounding = call.incoming.sent.map((frame) => frame.some((code) => code !== 0xff));
  return sounding.length - 1 - sounding.lastIndexOf(true);
}

describe('8. the goodbye', () => {
  it.each([
    ['STT, LLM and TTS', cascade],
    ['a speech-to-speech model', realtime],
  ] as const)('is played completely before the agent hangs up, with %s', async (_, options) => {
    const call = await ring(options());
    await call.speak(500);
    const tail = await untilHungUp(call, () => call.quiet(20));
    expect(call.agentFrames()).toBe(goodbyeFrames);
    // The buffer of the far end is also played.
    expect(tail).toBeGreaterThanOrEqual(200 / 20);
    expect(tail).toBeLessThanOrEqual(500 / 20);
    expect(await call.stored()).toMatchObject({ end_reason: 'agent_hangup' });
  });

  it('is not interrupted by the caller', async () => {
    const call = await ring(cascade());
    await call.speak(500);
    await call.quiet(1_000);
    await untilHungUp(call, () => call.speak(20));
    expect(call.agentFrames()).toBe(goodbyeFrames);
  });

  it('is awaited when the TTS is slow', async () => {
    const call = await ring(cascade(scriptedTts({ delayMs: 4_000 })));
    await call.speak(500);
    await untilHungUp(call, () => call.quiet(20));
    expect(call.agentFrames()).toBe(goodbyeFrames);
  });

  it('is awaited for at most 30 s when the TTS gives no audio', async () => {
    const call = await ring(cascade(scriptedTts({ delayMs: 600_000 })));
    await call.speak(500);
    const from = call.clock.nowMs();
    await untilHungUp(call, () => call.quiet(20));
    expect(call.clock.nowMs() - from).toBeLessThan(32_000);
    expect(await call.stored()).toMatchObject({ end_reason: 'agent_hangup' });
  });

  it('of an end-call command stops the current speech and is played completely', async () => {
    const call = await ring({ agent: { first_message: 'One two three four five six seven eight nine ten.' } });
    await call.quiet(500);
    const before = call.agentFrames();
    const { id } = await call.stored();
    await call.va.operations.calls.control(call.orgId, id, { type: 'end-call', message: goodbye });
    await untilHungUp(call, () => call.quiet(20));
    expect(call.agentFrames() - before).toBe(goodbyeFrames);
  });
});
