import type { CampaignProgress } from '@va/client';

/** Window over which the pace is measured. */
const windowMs = 120_000;
/** Observation time before a pace is reported. */
const minObservationMs = 5_000;

interface ProgressSample {
  readonly atMs: number;
  readonly calls: number;
  readonly done: number;
}

export interface Rates {
  readonly callsPerMinute: number;
  /** Estimated time until all leads are done; null if none was completed within the window. */
  readonly leftMs: number | null;
}

/** Measures the pace of a campaign over the last two minutes. */
export class CampaignPace {
  readonly #samples: ProgressSample[] = [];

  add(atMs: number, progress: CampaignProgress): void {
    this.#samples.push({ atMs, calls: progress.total_calls, done: doneLeads(progress) });
    while (this.#samples[1] !== undefined && this.#samples[1].atMs <= atMs - windowMs) this.#samples.shift();
  }

  /** Returns the rates over the window; null before the minimum observation time. */
  rates({ total_leads: total }: CampaignProgress): Rates | null {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (first === undefined || last === undefined || last.atMs - first.atMs < minObservationMs) return null;
    const ms = last.atMs - first.atMs;
    const done = last.done - first.done;
    return {
      callsPerMinute: ((last.calls - first.calls) / ms) * 60_000,
      leftMs: done > 0 ? ((total - last.done) / done) * ms : null,
    };
  }
}

/** Returns the number of leads that will not be called again. */
export function doneLeads(progress: CampaignProgress): number {
  return progress.completed_leads + progress.failed_leads + progress.skipped_leads;
}
