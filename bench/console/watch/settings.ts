export const number = '+31205559999';
export const endpointingMs = 200;
export const interruptionMs = 200;
/** Time until a watcher's streams are open, and the code that serves them is compiled. */
export const settlingMs = 1_500;
/** Duration of each measurement. They are short and many, because the load of other machines drifts within minutes. */
export const sideMs = 5_000;
/** Warm-up once all calls are up. */
export const warmingMs = 15_000;

/** Addresses and ids of the service, for the other processes. */
export interface Target {
  readonly sip: string;
  /** Address of the service. */
  readonly url: string;
  readonly apiKey: string;
}
