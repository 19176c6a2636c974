import { type Clock, within } from '@va/core/adapter';

/** Resolves when the work has ended or failed, after `limitMs`, or on abort, whichever is first. Never rejects. */
export async function raceTimeout(
  clock: Clock,
  work: Promise<void>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<void> {
  await within(
    limitMs,
    clock,
    work.catch(() => {}),
    signal,
  );
}
