import type { SipCall } from '@va/testkit/sip-caller';
import { hrClock } from './hr-clock.ts';

const loud = (samples: Int16Array): boolean => samples.some((sample) => Math.abs(sample) > 500);

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Tracks what the agent says on one call. */
export class Ear {
  lastLoudAtMs = 0;
  #onSpeech: ((atMs: number) => void) | null = null;

  constructor(call: SipCall) {
    call.onFrame((samples, atMs) => {
      if (loud(samples)) {
        this.lastLoudAtMs = atMs;
        this.#onSpeech?.(atMs);
        this.#onSpeech = null;
      }
    });
  }

  nextSpeech(): Promise<number> {
    return new Promise((resolve) => {
      this.#onSpeech = resolve;
    });
  }

  async silence(ms: number): Promise<void> {
    while (hrClock.nowMs() - this.lastLoudAtMs < ms) await pause(5);
  }
}
