/** What the processes of the bench have to agree on. */
export const number = '+31201234567';
/** From where the service's media come: the capture takes what is sent from these ports. */
export const servicePorts = { min: 20_000, max: 23_998 } as const;
/** From where the callers' media come. */
export const callerPortsFrom = 24_000;
export const frameMs = 20;
/** A frame that leaves so much later than its place in the stream is late. */
export const lateMs = 5;
/** The time that is captured, once all calls are up. */
export const capturedMs = 20_000;
/** Of what is compared with a goal, the median of so many. */
export const rounds = 3;
/** The service's own thread is taken for so long, so often. */
export const block = { forMs: 100, everyMs: 250 } as const;
/** Attempted set-ups per second: the first rate that is not clean ends the climb. */
export const rates = [100, 200, 300, 400, 500, 600, 800, 1_000] as const;
export const secondsPerRate = 10;

/** As on a line on which nobody speaks: G.711 μ-law of the lowest levels, a second of it. */
export const lineNoise: Uint8Array = Uint8Array.from(
  { length: 8_000 },
  (_, i) => ((i * 7) % 11 < 5 ? 0xf8 : 0x78) + ((i * 5) % 7),
);

/** `silero`: the detector that the service has by default; `off`: one that hears no speech and costs nothing. */
export type Detector = 'silero' | 'off';

/** What the service is told to do. */
export type Command = 'memory' | 'block';

export interface Memory {
  readonly rssMb: number;
  readonly heapMb: number;
}
