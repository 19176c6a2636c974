/** Settings shared by the processes. */
export const number = '+31201234567';
/** The service's media ports, which the capture filters by. */
export const servicePorts = { min: 20_000, max: 23_998 } as const;
/** First media port of the callers. */
export const callerPortsFrom = 24_000;
export const frameMs = 20;
/** Delay from which a frame counts as late, relative to its place in the stream. */
export const lateMs = 5;
/** Duration of the capture, once all calls are up. */
export const capturedMs = 20_000;
/** Rounds of figures that have goals; their median counts. */
export const rounds = 3;
/** Duration and interval of blocking the main thread. */
export const block = { forMs: 100, everyMs: 250 } as const;
/** Set-ups per second that are tried in turn. */
export const rates = [100, 200, 300, 400, 500, 600, 800, 1_000] as const;
export const secondsPerRate = 10;

/** One second of a line without speech: G.711 μ-law of the lowest levels. */
export const lineNoise: Uint8Array = Uint8Array.from(
  { length: 8_000 },
  (_, i) => ((i * 7) % 11 < 5 ? 0xf8 : 0x78) + ((i * 5) % 7),
);

/** `silero`: the default detector of the service; `off`: one that never reports speech and costs nothing. */
export type Detector = 'silero' | 'off';

/** Commands to the service's process. */
export type Command = 'memory' | 'block';

export interface Memory {
  readonly rssMb: number;
  readonly heapMb: number;
}
