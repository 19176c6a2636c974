import { encodeG711 } from '@va/media';
import type { ScriptedIncomingCall } from '../scripted/scripted-incoming-call.ts';
import { callerFrame } from '../scripted/scripted-leg.ts';
import { SpokenWords } from '../spoken-words.ts';
import { InvalidScenario } from './invalid-scenario.ts';
import type { CallerAct, Saying, Scenario } from './scenario.ts';

const frameMs = 20;
const defaultKeyGapMs = 200;
const beepHz = 1_000;

/** Action and its time, in milliseconds after the answer. */
export interface TimedAct {
  readonly atMs: number;
  readonly run: () => void | Promise<void>;
}

/** The caller's side of a scenario: audio frames and other actions. */
export class ScenarioCaller {
  readonly words: SpokenWords = new SpokenWords();
  readonly #acts: readonly CallerAct[];
  readonly #beep: Uint8Array = beepFrame();

  /** @throws InvalidScenario */
  constructor({ name, caller = [] }: Scenario) {
    this.#acts = caller;
    for (const act of caller) {
      if ('presses' in act) continue;
      if (act.fromMs % frameMs !== 0 || act.toMs % frameMs !== 0 || act.toMs <= act.fromMs) {
        throw new InvalidScenario(
          name,
          `sound consists of frames of ${frameMs} ms, and cannot last from ${act.fromMs} to ${act.toMs}.`,
        );
      }
      if ('says' in act) this.words.add({ text: act.says, fromMs: act.fromMs, toMs: act.toMs });
    }
  }

  /** Returns the frame that is complete at `atMs`; null if the far end sends none. */
  frameAt(atMs: number): Uint8Array | null {
    const act = this.#acts.find((each) => !('presses' in each) && atMs > each.fromMs && atMs <= each.toMs);
    if (act === undefined) return callerFrame(false);
    if ('sendsNothing' in act) return null;
    return 'beeps' in act ? this.#beep : callerFrame(true);
  }

  /** Returns the actions other than audio: DTMF digits, and partial transcripts of the recognizer. */
  timed(leg: ScriptedIncomingCall, onPartial: (text: string) => void): TimedAct[] {
    return this.#acts.flatMap((act): TimedAct[] => {
      if ('says' in act) return partialsOf(act).map(({ atMs, text }) => ({ atMs, run: () => onPartial(text) }));
      if (!('presses' in act)) return [];
      const { presses, atMs, everyMs = defaultKeyGapMs } = act;
      return [...presses].map((digit, index) => ({ atMs: atMs + index * everyMs, run: () => leg.press(digit) }));
    });
  }
}

function partialsOf({ partials = [] }: Saying): readonly { atMs: number; text: string }[] {
  return partials;
}

function beepFrame(): Uint8Array {
  const samples = Int16Array.from(
    { length: frameMs * 8 },
    (_, at) => Math.sin((2 * Math.PI * beepHz * at) / 8_000) * 8_000,
  );
  return encodeG711('pcmu', samples);
}
