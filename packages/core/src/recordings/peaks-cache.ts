import { Slots } from '../async/slots.ts';
import type { RecordingPeaks } from '../domain/calls/recording-peaks.ts';
import type { Clock } from '../ports/clock.ts';
import type { StoredRecording } from '../ports/recordings.ts';
import { readPeaks } from './read-peaks.ts';

/** Maximum number of cached waveforms: about 6 MB with 4,000 points and two channels each. */
const maxCached = 100;
/** Maximum recordings read at the same time, because their samples pass through the thread of the API. */
const maxReading = 4;

/** Cache of computed waveforms. Simultaneous requests for the same one share its computation. */
export class PeaksCache {
  readonly #clock: Clock;
  readonly #slots = new Slots(maxReading);
  /** In order of use, the latest last. */
  readonly #cached = new Map<string, Promise<RecordingPeaks>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param callId unique in the deployment; a recording that has grown since is read again */
  async get(callId: string, recording: StoredRecording, points: number): Promise<RecordingPeaks> {
    const key = `${callId} ${recording.byteLength} ${points}`;
    const peaks = this.#cached.get(key) ?? this.#slots.run(() => readPeaks(recording, points, this.#clock));
    this.#cached.delete(key);
    this.#cached.set(key, peaks);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > maxCached && oldest !== undefined) this.#cached.delete(oldest);
    try {
      return await peaks;
    } catch (thrown) {
      if (this.#cached.get(key) === peaks) this.#cached.delete(key);
      throw thrown;
    }
  }
}
