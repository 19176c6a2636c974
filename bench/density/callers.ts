import { createSipCaller, type SipCall } from '@va/testkit/sip-caller';
import { Ear, pause } from '../support/ear.ts';
import { hrClock } from '../support/hr-clock.ts';
import { type CallerFigures, lateMs, speechMs, turnsInRound } from './settings.ts';

/** The callers, in a process of their own: argv[2] is the address, argv[3] how many. Told `stop`, they hang up. */
const target = process.argv[2] ?? '';
const calls = Number(process.argv[3]);
const speech = Int16Array.from({ length: speechMs * 8 }, (_, i) => Math.round(8_000 * Math.sin(i / 3)));
const caller = createSipCaller({ clock: hrClock, address: '127.0.0.1' });
let frames = 0;
let lateFrames = 0;
let isSteady = false;
let isStopped = false;

/** Holds each frame against the earliest that the stream has been: what this process is late itself counts too. */
function watchPace(call: SipCall): void {
  let count = 0;
  let earliestMs = Number.POSITIVE_INFINITY;
  call.onFrame((_, atMs) => {
    const sinceMs = atMs - count * 20;
    count += 1;
    earliestMs = Math.min(earliestMs, sinceMs);
    if (!isSteady) return;
    frames += 1;
    if (sinceMs - earliestMs > lateMs) lateFrames += 1;
  });
}

async function converse(index: number): Promise<void> {
  await pause(index * 40);
  const call = await caller.dial(target, { from: `<sip:+316${String(index).padStart(8, '0')}@127.0.0.1>` });
  watchPace(call);
  const ear = new Ear(call);
  connected += 1;
  if (connected === calls) {
    await pause(2_000);
    isSteady = true;
    process.send?.('steady');
  }
  while (!isStopped) {
    for (let turn = 1; turn <= turnsInRound && !isStopped; turn += 1) {
      await pause(100 + Math.random() * 400);
      const reply = ear.nextSpeech();
      await call.say(speech);
      await reply;
      if (turn < turnsInRound) await ear.silence(200);
    }
    if (isStopped) break;
    await pause(400 + Math.random() * 400);
    await call.say(speech);
    await ear.silence(400);
  }
  await call.hangup();
}

let connected = 0;
process.on('message', () => {
  isSteady = false;
  isStopped = true;
});
const talks = Promise.all(Array.from({ length: calls }, (_, index) => converse(index)));
await Promise.race([talks, new Promise((resolve) => process.once('message', () => setTimeout(resolve, 4_000)))]);
process.send?.({ frames, lateFrames } satisfies CallerFigures);
process.exit(0);
