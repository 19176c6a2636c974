import { type Clock, uuidv7 } from '@va/core';

const usable = /^[\w.:-]{1,128}$/;

/** A caller's own id is taken over when it can stand in a log line as it is. */
export function requestIdOf(given: string | null, clock: Clock): string {
  return given !== null && usable.test(given) ? given : uuidv7(clock);
}
