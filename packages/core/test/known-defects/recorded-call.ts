import type { RecordingStore } from '@va/core/adapter';
import { frameSamples } from '@va/media';

export interface Recorded extends RecordingStore {
  /** Returns the frames of one side of the recording. */
  frames(side: 'caller' | 'agent'): Int16Array[];
  closed: boolean;
}

/** A store that keeps the latest recording. */
export function recordedCall(): Recorded {
  const written: Int16Array[] = [];
  const store: Recorded = {
    closed: false,
    open: async () => null,
    delete: async () => false,
    create: async () => {
      written.length = 0;
      return {
        write: (samples) => written.push(samples.slice()),
        close: async () => {
          store.closed = true;
        },
      };
    },
    frames: (side) =>
      written.map((stereo) => {
        const offset = side === 'caller' ? 0 : 1;
        return Int16Array.from({ length: frameSamples }, (_, i) => stereo[2 * i + offset] ?? 0);
      }),
  };
  return store;
}
