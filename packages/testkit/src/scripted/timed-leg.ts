import type { Clock } from '@va/core/adapter';
import { isSilent, readSound } from '../readable-sound.ts';
import { ScriptedIncomingCall } from './scripted-incoming-call.ts';

/** A stretch of the agent's sound that the caller heard, without a sample of silence in it. */
export interface HeardSound {
  readonly fromMs: number;
  readonly toMs: number;
  /** Its letters, if the voice was a readable one. */
  readonly text: string;
  readonly voice: 0 | 1;
}

const samplesPerMs = 8;

/** An incoming call that records when each frame, and each DTMF digit, was sent to the far end. */
export class TimedIncomingCall extends ScriptedIncomingCall {
  readonly #clock: Clock;
  readonly #frames: { readonly atMs: number; readonly codes: Uint8Array }[] = [];
  /** End of the agent's last sound; null before any. */
  lastHeardMs: number | null = null;
  readonly keys: { readonly atMs: number; readonly digits: string; readonly toneMs: number }[] = [];

  constructor(options: { readonly to: string; readonly clock: Clock }) {
    super(options);
    this.#clock = options.clock;
  }

  override send(frame: Uint8Array): void {
    super.send(frame);
    const atMs = this.#clock.nowMs();
    this.#frames.push({ atMs, codes: frame.slice() });
    if (!frame.every(isSilent)) this.lastHeardMs = atMs + frame.length / samplesPerMs;
  }

  override sendDtmf(digits: string, toneMs: number): void {
    super.sendDtmf(digits, toneMs);
    this.keys.push({ atMs: this.#clock.nowMs(), digits, toneMs });
  }

  /** Returns what the caller heard, to the sample. A frame is heard for 20 ms from its sending. */
  heard(msPerLetter: number): HeardSound[] {
    const stretches: { fromMs: number; codes: number[] }[] = [];
    let open: { fromMs: number; codes: number[] } | null = null;
    let heardUntilMs = 0;
    for (const { atMs, codes } of this.#frames) {
      if (atMs > heardUntilMs) open = null;
      heardUntilMs = atMs + codes.length / samplesPerMs;
      for (const [index, code] of codes.entries()) {
        if (isSilent(code)) {
          open = null;
          continue;
        }
        if (open === null) {
          open = { fromMs: atMs + index / samplesPerMs, codes: [] };
          stretches.push(open);
        }
        open.codes.push(code);
      }
    }
    return stretches.map(({ fromMs, codes }) => {
      const { text, voice } = readSound(Uint8Array.from(codes), msPerLetter);
      return { fromMs, toMs: fromMs + codes.length / samplesPerMs, text, voice };
    });
  }
}
