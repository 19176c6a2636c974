/** What both processes of the bench have to agree on. */
export const calls = 10;
export const turnsPerCall = 12;
export const endpointingMs = 200;
export const interruptionMs = 200;
/** The caller's speech in a turn. */
export const speechMs = 400;
