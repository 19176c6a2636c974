/** Settings shared by the processes. */
export const number = '+31201234567';
export const endpointingMs = 200;
export const interruptionMs = 200;
export const levels = [1, 10, 50, 100, 200] as const;
/** Rounds of the levels that have goals; their median counts. */
export const rounds = 3;
/** Warm-up once all calls are up: by then hot code is compiled. */
export const warmingMs = 15_000;
export const steadyMs = 20_000;
