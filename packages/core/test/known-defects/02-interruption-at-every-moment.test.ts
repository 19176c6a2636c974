import {
  callerFrame,
  calling,
  type ScriptedReply,
  saying,
  scriptedLlm,
  scriptedRealtime,
  scriptedStt,
  scriptedTts,
} from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { PhoneCall, type PhoneCallOptions } from '../support/phone-call.ts';
import { PromiseClock } from '../support/promise-clock.ts';

/** From the answer on: greeting, silence, the caller's turn, LLM, tool, TTS, reply, silence. */
const lastMs = 6_000;
const everyMs = 140;
const moments = Array.from({ length: Math.ceil(lastMs / everyMs) }, (_, i) => i * everyMs);

const speech = callerFrame(true);
const silence = callerFrame(false);

const lookUp = { type: 'function', name: 'look_up' };
const replies = (request: number): ScriptedReply => {
  if (request === 0) return [150, ...calling('look_up', {}, 'call-1')];
  return [150, ...saying('Yes, it is open until ten.')];
};
const turns = ['is it open', 'one more thing', 'are you there', 'hello', 'hello'];

const cascade = (): PhoneCallOptions => ({
  stt: scriptedStt({ turns, delayMs: 60 }),
  llm: scriptedLlm((_, request) => replies(request)),
  tts: scriptedTts({ delayMs: 120, msPerLetter: 30 }),
  agent: { first_message: 'Good evening.', llm_config: { provider: 'scripted', tools: [lookUp] } },
});

const realtime = (): PhoneCallOptions => ({
  realtime: scriptedRealtime({
    turns,
    msPerLetter: 30,
    responses: [calling('look_up', {}, 'call-1'), saying('Yes, it is open until ten.')],
  }),
  agent: {
    first_message: 'Good evening.',
    stt_config: null,
    tts_config: null,
    llm_config: { provider: 'scripted_realtime', tools: [lookUp] },
  },
});

type Interruption = (call: PhoneCall) => Promise<void>;

const interruptions: Record<string, Interruption> = {
  'the caller speaks': async (call) => {
    await call.speak(700);
  },
  'a key is pressed': async (call) => {
    call.incoming.press('1');
    await call.quiet(60);
  },
  'the host mutes and unmutes it': async (call) => {
    const { id } = await call.stored();
    const { calls } = call.va.operations;
    await calls.control(call.orgId, id, { type: 'mute-assistant' });
    await call.quiet(60);
    await calls.control(call.orgId, id, { type: 'unmute-assistant' });
  },
};

let call: PhoneCall | null = null;
afterEach(async () => {
  await call?.close();
  call = null;
});

/** Runs the conversation up to a time, which need not be a multiple of the frame duration. */
async function goOnTo(phone: PhoneCall, atMs: number): Promise<void> {
  for (let passed = 0; passed < atMs; passed += 20) {
    phone.incoming.hear(passed >= 1_200 && passed < 1_900 ? speech : silence);
    await phone.clock.advance(Math.min(20, atMs - passed));
  }
}

describe.each([
  ['STT, LLM and TTS', cascade],
  ['a speech-to-speech model', realtime],
] as const)('2. an agent with %s, interrupted at any time of a turn', (_, options) => {
  it.each(Object.entries(interruptions))(
    'stops at once and answers the next turn when %s',
    async (_name, interrupt) => {
      for (const atMs of moments) {
        call = await PhoneCall.ring({ ...options(), clock: new PromiseClock() });
        await goOnTo(call, atMs);
        await interrupt(call);
        if (call.interruptedAtFrame !== null) {
          expect({ atMs, frames: call.agentFrames(call.interruptedAtFrame) }).toEqual({ atMs, frames: 0 });
        }
        await call.quiet(5_000);
        const before = call.incoming.sent.length;
        await call.speak(700);
        await call.quiet(3_000);
        // The agent is neither muted nor stuck in a reply without audio: it answers the next turn audibly.
        expect({ atMs, isHeard: call.agentFrames(before) > 10 }).toEqual({ atMs, isHeard: true });
        call.incoming.leave();
        await call.nothing(100);
        const stored = await call.stored();
        expect({ atMs, status: stored.status, error: stored.error }).toEqual({ atMs, status: 'ended', error: null });
        await call.close();
        call = null;
      }
    },
  );
});
