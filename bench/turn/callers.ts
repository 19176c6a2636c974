import { createSipCaller } from '@va/testkit/sip-caller';
import { Ear, pause } from '../support/ear.ts';
import { hrClock } from '../support/hr-clock.ts';
import { calls, endpointingMs, speechMs, turnsPerCall } from './settings.ts';

/** The callers' process: argv[2] is the address to call. Sends its figures to the parent. */

export interface CallerFigures {
  /** Time per turn from the last packet of speech to the first packet of the reply, without endpointing. */
  readonly rtpMs: readonly number[];
  /** Arrival time of the last packet of the interrupted speech of the agent, by the number of the caller. */
  readonly lastAgentFrameAtMs: Readonly<Record<string, number>>;
}

const speech = Int16Array.from({ length: speechMs * 8 }, (_, i) => Math.round(8_000 * Math.sin(i / 3)));
const target = process.argv[2] ?? '';
const caller = createSipCaller({ clock: hrClock, address: '127.0.0.1' });
const rtpMs: number[] = [];
const lastAgentFrameAtMs: Record<string, number> = {};

async function oneCall(index: number): Promise<void> {
  const from = `+3161000000${index}`;
  await pause(index * 137);
  const call = await caller.dial(target, { from: `<sip:${from}@127.0.0.1>` });
  const ear = new Ear(call);
  for (let turn = 0; turn < turnsPerCall; turn++) {
    await pause(100 + Math.random() * 100);
    const reply = ear.nextSpeech();
    const { endedAtMs } = await call.say(speech);
    rtpMs.push((await reply) - endedAtMs - endpointingMs);
    await ear.silence(120);
  }
  const story = ear.nextSpeech();
  await call.say(speech);
  await story;
  await pause(500 + Math.random() * 100);
  await call.say(speech);
  await ear.silence(300);
  lastAgentFrameAtMs[from] = ear.lastLoudAtMs;
  await call.hangup();
}

await Promise.all(Array.from({ length: calls }, (_, index) => oneCall(index)));
process.send?.({ rtpMs, lastAgentFrameAtMs } satisfies CallerFigures);
process.disconnect();
