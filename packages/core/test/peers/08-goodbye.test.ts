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
/** The scripted voice takes 50 ms a letter. */
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

/** Lets time pass until the line is hung up; how many frames of silence came after the last word. */
async function untilHungUp(call: PhoneCall, step: () => Promise<void>): Promise<number> {
  for (let passed = 0; passed < 40_000 && call.incoming.end === null; passed += 20) await step();
  expect(call.incoming.end).not.toBeNull();
  const sounding = call.incoming.sent.map((frame) => frame.some((code) => code !== 0xff));
  return sounding.length - 1 - sounding.lastIndexOf(true);
}

describe('8. the goodbye', () => {
  it.each([
    ['recognizer, model and voice', cascade],
    ['a speech-to-speech model', realtime],
  ] as const)('is played to its last frame before the agent hangs up, on %s', async (_, options) => {
    const call = await ring(options());
    await call.speak(500);
    const tail = await untilHungUp(call, () => call.quiet(20));
    expect(call.agentFrames()).toBe(goodbyeFrames);
    // And so is what the far end still has in its buffer.
    expect(tail).toBeGreaterThanOrEqual(200 / 20);
    expect(tail).toBeLessThanOrEqual(500 / 20);
    expect(await call.stored()).toMatchObject({ end_reason: 'agent_hangup' });
  });

  it('is not cut by a caller who speaks over it', async () => {
    const call = await ring(cascade());
    await call.speak(500);
    await call.quiet(1_000);
    await untilHungUp(call, () => call.speak(20));
    expect(call.agentFrames()).toBe(goodbyeFrames);
  });

  it('is waited for where its voice is slow to begin', async () => {
    const call = await ring(cascade(scriptedTts({ delayMs: 4_000 })));
    await call.speak(500);
    await untilHungUp(call, () => call.quiet(20));
    expect(call.agentFrames()).toBe(goodbyeFrames);
  });

  it('is waited for no longer than half a minute where it never comes', async () => {
    const call = await ring(cascade(scriptedTts({ delayMs: 600_000 })));
    await call.speak(500);
    const from = call.clock.nowMs();
    await untilHungUp(call, () => call.quiet(20));
    expect(call.clock.nowMs() - from).toBeLessThan(32_000);
    expect(await call.stored()).toMatchObject({ end_reason: 'agent_hangup' });
  });

  it('of the host is played whole too, and cuts off what the agent was saying', async () => {
    const call = await ring({ agent: { first_message: 'One two three four five six seven eight nine ten.' } });
    await call.quiet(500);
    const before = call.agentFrames();
    const { id } = await call.stored();
    await call.va.operations.calls.control(call.orgId, id, { type: 'end-call', message: goodbye });
    await untilHungUp(call, () => call.quiet(20));
    expect(call.agentFrames() - before).toBe(goodbyeFrames);
  });
});
