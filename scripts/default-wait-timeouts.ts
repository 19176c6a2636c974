import { vi } from 'vitest';
import { waitMs } from './test-limits.ts';

// Raises vitest's default timeout of one second, which a loaded machine may exceed. A wait ends as soon as
// its condition holds, so only a failing test takes longer.

const isConfigured = Symbol.for('va.default-wait-timeouts');
type Waiting = typeof vi & { [isConfigured]?: true };

// Setup files run for each test file, but the files of a process share vitest.
if ((vi as Waiting)[isConfigured] !== true) {
  (vi as Waiting)[isConfigured] = true;
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (callback, options) => waitFor(callback, withTimeout(options));
  vi.waitUntil = (callback, options) => waitUntil(callback, withTimeout(options));
}

function withTimeout<Options extends { timeout?: number }>(options: number | Options | undefined): number | Options {
  return typeof options === 'number' ? options : ({ timeout: waitMs, ...options } as Options);
}
