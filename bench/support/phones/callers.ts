import { constants, setPriority } from 'node:os';
import { encodeG711 } from '@va/media';
import { pause } from '../ear.ts';
import type { PhoneBank } from './phone-bank.ts';

/** Duration of the caller's speech in a turn. */
const speechMs = 1_000;
/** Turns per round; the reply to the last one is long and interrupted by the caller. */
export const turnsInRound = 4;
const frameSamples = 160;
const speech = Array.from({ length: speechMs / 20 }, (_, frame) =>
  encodeG711(
    'pcmu',
    Int16Array.from({ length: frameSamples }, (_, i) => 8_000 * Math.sin((frame * frameSamples + i) / 3)),
  ),
);

export interface CallerFigures {
  readonly frames: number;
  readonly lateFrames: number;
}

/** Raises the priority, so that delays of the callers are not measured as the service's. */
function goFirst(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGH);
  } catch {
    console.log('The callers compete with the service: to go first takes root.');
  }
}

/**
 * Has this many phones talk with the agent. This process sends `steady` once all have talked for `warmingMs`; the
 * message `stop` makes them hang up, is answered with `CallerFigures`, and ends the process.
 */
export function call(bank: PhoneBank, calls: number, warmingMs: number): void {
  goFirst();
  let isStopped = false;

  async function converse(index: number): Promise<void> {
    await pause(index * 40);
    const phone = await bank.dial();
    if (bank.phones.length === calls) void becomeSteady();
    while (!isStopped) {
      for (let turn = 1; turn <= turnsInRound && !isStopped; turn += 1) {
        await pause(200 + Math.random() * 800);
        const reply = phone.nextSpeech();
        await phone.say(speech);
        await reply;
        if (turn < turnsInRound) await phone.silence(200);
      }
      if (isStopped) break;
      await pause(400 + Math.random() * 400);
      await phone.say(speech);
      await phone.silence(400);
    }
  }

  async function becomeSteady(): Promise<void> {
    await pause(warmingMs);
    bank.isMeasured = true;
    process.send?.('steady');
  }

  process.once('message', async () => {
    bank.isMeasured = false;
    isStopped = true;
    await Promise.race([bank.close(), pause(4_000)]);
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    const figures: CallerFigures = {
      frames: sum(bank.phones.map(({ frames }) => frames)),
      lateFrames: sum(bank.phones.map(({ lateFrames }) => lateFrames)),
    };
    process.send?.(figures, () => process.exit(0));
  });
  for (let index = 0; index < calls; index += 1) void converse(index);
}
