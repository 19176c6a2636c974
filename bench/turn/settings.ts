/** Settings shared by both processes. */
export const calls = 10;
export const turnsPerCall = 12;
export const endpointingMs = 200;
export const interruptionMs = 200;
/** Duration of the caller's speech in a turn. */
export const speechMs = 400;
