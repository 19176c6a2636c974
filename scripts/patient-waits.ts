import { vi } from 'vitest';

// A loaded machine can take longer for anything than the second that vitest waits by default. A wait ends as soon as
// its condition holds, so that only a failing test takes the time.

const waitMs = 15_000;
const isPatient = Symbol.for('va.patient-waits');
type Waiting = typeof vi & { [isPatient]?: true };

// Once for all files of a process.
if ((vi as Waiting)[isPatient] !== true) {
  (vi as Waiting)[isPatient] = true;
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (callback, options) => waitFor(callback, patient(options));
  vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
}

function patient<Options extends { timeout?: number }>(options: number | Options | undefined): number | Options {
  return typeof options === 'number' ? options : ({ timeout: waitMs, ...options } as Options);
}
