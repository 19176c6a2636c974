import type { CampaignProgress } from '@va/client';

/** What is further back says nothing of how fast it goes now. */
const windowMs = 120_000;
/** In less time nothing can be said. */
const leastMs = 5_000;

interface Sample {
  readonly atMs: number;
  readonly calls: number;
  readonly done: number;
}

export interface Rates {
  readonly callsPerMinute: number;
  /** Null where none comes to an end. */
  readonly leftMs: number | null;
}

/** How fast a campaign goes, by the last two minutes of it. */
export class Pace {
  readonly #samples: Sample[] = [];

  add(atMs: number, progress: CampaignProgress): void {
    this.#samples.push({ atMs, calls: progress.total_calls, done: doneLeads(progress) });
    while (this.#samples[1] !== undefined && this.#samples[1].atMs <= atMs - windowMs) this.#samples.shift();
  }

  /** Null where it is too early to tell. */
  rates({ total_leads: total }: CampaignProgress): Rates | null {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (first === undefined || last === undefined || last.atMs - first.atMs < leastMs) return null;
    const ms = last.atMs - first.atMs;
    const done = last.done - first.done;
    return {
      callsPerMinute: ((last.calls - first.calls) / ms) * 60_000,
      leftMs: done > 0 ? ((total - last.done) / done) * ms : null,
    };
  }
}

/** Those that are not called any more. */
export function doneLeads(progress: CampaignProgress): number {
  return progress.completed_leads + progress.failed_leads + progress.skipped_leads;
}
