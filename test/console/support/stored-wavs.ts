import type { RecordingStore, StoredRecording } from '@va/core/adapter';

/** Recordings in memory, by the ids of their calls. */
export class StoredWavs implements RecordingStore {
  readonly bytes = new Map<string, Uint8Array>();
  /** Download URL of the store; none by default. */
  url: string | null = null;

  async create(): ReturnType<RecordingStore['create']> {
    return { write() {}, close: async () => {} };
  }

  async open(_orgId: string, callId: string): Promise<StoredRecording | null> {
    const bytes = this.bytes.get(callId);
    if (bytes === undefined) return null;
    return {
      ...(this.url !== null && { url: this.url }),
      contentType: 'audio/wav',
      byteLength: bytes.byteLength,
      read: ({ start, end } = { start: 0, end: bytes.byteLength - 1 }) =>
        new ReadableStream({
          start(controller) {
            controller.enqueue(bytes.slice(start, end + 1));
            controller.close();
          },
        }),
    };
  }

  async delete(_orgId: string, callId: string): Promise<boolean> {
    return this.bytes.delete(callId);
  }
}
