import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isUuid } from '../ids.ts';
import type { RecordingSink, RecordingStore, StoredRecording } from '../ports/recordings.ts';
import { recordingFormat, sampleRateOf, wavHeader, wavHeaderBytes } from './wav-header.ts';

/** Bytes buffered before a write to the disk: one second of stereo at 8 kHz. */
const chunkBytes = recordingFormat.sampleRateHz * recordingFormat.channels * recordingFormat.bytesPerSample;

/**
 * Stores recordings as WAV files in a folder, with one subfolder per organization. Files are written during the call,
 * so that a call of any length needs the memory of one second.
 *
 * @example createVoiceAgents({ recordings: folderRecordings({ dir: './recordings' }), … })
 */
export function folderRecordings(options: { readonly dir: string }): RecordingStore {
  const pathOf = (orgId: string, callId: string): string | null =>
    isUuid(orgId) && isUuid(callId) ? join(options.dir, orgId, `${callId}.wav`) : null;

  return {
    async create(orgId, callId) {
      const path = pathOf(orgId, callId);
      if (path === null) throw new RangeError('The ids of an organization and a call are UUIDs.');
      await mkdir(join(options.dir, orgId), { recursive: true });
      const file = await open(path, 'w');
      await file.write(wavHeader(0), 0, wavHeaderBytes, 0);
      return new WavFile(file);
    },

    async open(orgId, callId) {
      const path = pathOf(orgId, callId);
      if (path === null) return null;
      const found = await stat(path).catch(nullIfAbsent);
      return found === null || found.size === 0 ? null : storedFile(path, found.size);
    },

    async finish(orgId, callId) {
      const path = pathOf(orgId, callId);
      const file = path === null ? null : await open(path, 'r+').catch(nullIfAbsent);
      if (file === null) return false;
      try {
        const { size } = await file.stat();
        if (size <= wavHeaderBytes) return false;
        const header = new Uint8Array(wavHeaderBytes);
        await file.read(header, 0, wavHeaderBytes, 0);
        const rateHz = sampleRateOf(header) ?? recordingFormat.sampleRateHz;
        await file.write(wavHeader(size - wavHeaderBytes, rateHz), 0, wavHeaderBytes, 0);
        return true;
      } finally {
        await file.close();
      }
    },

    async delete(orgId, callId) {
      const path = pathOf(orgId, callId);
      if (path === null) return false;
      return await unlink(path).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false;
          throw error;
        },
      );
    },
  };
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function storedFile(path: string, byteLength: number): StoredRecording {
  return {
    contentType: 'audio/wav',
    byteLength,
    // Reads no further than the announced length: the recording of a live call grows meanwhile.
    read: (range = { start: 0, end: byteLength - 1 }) =>
      Readable.toWeb(createReadStream(path, range)) as ReadableStream<Uint8Array>,
  };
}

class WavFile implements RecordingSink {
  readonly #file: FileHandle;
  #chunk = Buffer.alloc(chunkBytes);
  #filled = 0;
  #written = 0;
  #rateHz: number = recordingFormat.sampleRateHz;
  /** Writes are sequential; `close` rejects with the first failure. */
  #tail: Promise<void> = Promise.resolve();

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Writes the header at once, from which the recording is completed if the process dies. */
  setSampleRate(sampleRateHz: number): void {
    this.#rateHz = sampleRateHz;
    this.#queue(async () => {
      await this.#file.write(wavHeader(0, sampleRateHz), 0, wavHeaderBytes, 0);
    });
  }

  write(samples: Int16Array): void {
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    for (let offset = 0; offset < bytes.length; ) {
      const count = bytes.copy(this.#chunk, this.#filled, offset);
      this.#filled += count;
      offset += count;
      if (this.#filled === this.#chunk.length) this.#flush();
    }
  }

  async close(): Promise<void> {
    this.#flush();
    try {
      await this.#tail;
      await this.#file.write(wavHeader(this.#written, this.#rateHz), 0, wavHeaderBytes, 0);
    } finally {
      await this.#file.close();
    }
  }

  #flush(): void {
    if (this.#filled === 0) return;
    const chunk = this.#chunk.subarray(0, this.#filled);
    const position = wavHeaderBytes + this.#written;
    this.#written += this.#filled;
    this.#filled = 0;
    this.#chunk = Buffer.alloc(chunkBytes);
    this.#queue(async () => {
      await this.#file.write(chunk, 0, chunk.length, position);
    });
  }

  #queue(write: () => Promise<void>): void {
    this.#tail = this.#tail.then(write);
    // `close` reports the failure; here it must only not be unhandled.
    this.#tail.catch(() => {});
  }
}
