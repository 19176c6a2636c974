/** Settings shared by the processes. */
export const number = '+31201234567';
export const twilioNumber = '+31207654321';
export const twilioAccount = { sid: 'AC00000000000000000000000000000001', token: 'bench-token' } as const;
export const endpointingMs = 200;
export const interruptionMs = 200;
export const kinds = ['sip', 'twilio', 'web'] as const;
export type Kind = (typeof kinds)[number];
/** Numbers of calls: the latencies of turns are reported for the first, the shares of a core for the second. */
export const levels = [100, 200] as const;
export const rounds = 3;
/** Warm-up once all calls are up: by then hot code is compiled. */
export const warmingMs = 15_000;
export const steadyMs = 20_000;

/** Addresses and ids of the service, for callers. */
export interface Target {
  readonly sip: string;
  /** URL of the mount. */
  readonly http: string;
}

/** Path that answers a POST with a token for a web call. */
export const tokenPath = '/token';
