import { setTimeout as pause } from 'node:timers/promises';

/**
 * Returns the handles that this process still has after a time, or an empty list as soon as there are none. Pipes to
 * the parent are not counted: they stay.
 */
export async function openHandles(withinMs: number): Promise<string[]> {
  const endsAtMs = performance.now() + withinMs;
  for (;;) {
    const open = process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap');
    if (open.length === 0 || performance.now() >= endsAtMs) return open;
    await pause(20);
  }
}
