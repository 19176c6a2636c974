import type { RecordingStore } from '@va/core/adapter';
import { wavHeader } from '../../../packages/core/src/node/wav-header.ts';

/** A WAV file with 239 frames of stereo. */
export const recordedBytes: Uint8Array = Uint8Array.from({ length: 1_000 }, (_, n) => n % 251);
recordedBytes.set(wavHeader(956));

/** Recordings of the calls that a test names. */
export class NamedRecordings implements RecordingStore {
  readonly recorded = new Set<string>();
  /** Calls whose recordings fail to open. */
  readonly broken = new Set<string>();

  delete: RecordingStore['delete'] = async (_orgId, callId) => this.recorded.delete(callId);

  create: RecordingStore['create'] = async () => ({ write() {}, close: async () => {} });

  open: RecordingStore['open'] = async (_orgId, callId) => {
    if (this.broken.has(callId)) throw new Error('disk failure');
    if (!this.recorded.has(callId)) return null;
    return {
      contentType: 'audio/wav',
      byteLength: recordedBytes.length,
      read: (range) => streamOf(range === undefined ? recordedBytes : recordedBytes.slice(range.start, range.end + 1)),
    };
  };
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
