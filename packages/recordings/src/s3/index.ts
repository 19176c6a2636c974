import { folderRecordings } from '@va/core';
import { type Clock, type Logger, type RecordingSink, type RecordingStore, systemClock } from '@va/core/adapter';
import { Bucket, type BucketOptions } from './bucket.ts';
import { completeHeader, leftBehind, type Spooled, sizeOf, spooledFile } from './spool.ts';
import { Uploads } from './uploads.ts';

export type { BucketOptions } from './bucket.ts';

/** Options of {@link s3Recordings}. */
export interface S3RecordingsOptions extends BucketOptions {
  /** Prefix of the keys, such as `recordings/`; empty by default. A recording is `<organization>/<call>.wav`. */
  readonly prefix?: string;
  /**
   * Folder of this process on a persistent disk. Recordings are written there during calls and stay until they are
   * uploaded.
   */
  readonly spoolDir: string;
  /** Validity of the presigned URLs in API responses, in seconds; 300 by default. */
  readonly urlSeconds?: number;
  readonly clock?: Clock;
  /** Logs failed uploads; the console by default. */
  readonly logger?: Pick<Logger, 'warn'>;
}

/**
 * Stores recordings in a bucket of S3 or of an S3-compatible service (`npm install @aws-sdk/client-s3
 * @aws-sdk/s3-request-presigner`).
 *
 * @example
 * const recordings = s3Recordings({ bucket: 'calls', region: 'eu-west-1', spoolDir: './va-spool' });
 * createVoiceAgents({ recordings, … });
 */
export function s3Recordings(options: S3RecordingsOptions): RecordingStore {
  return new S3Recordings(options);
}

class S3Recordings implements RecordingStore {
  readonly #spoolDir: string;
  readonly #prefix: string;
  readonly #urlSeconds: number;
  readonly #bucket: Bucket;
  readonly #spool: RecordingStore;
  readonly #uploads: Uploads;
  #resumed: Promise<void> | null = null;

  constructor({
    spoolDir,
    prefix = '',
    urlSeconds = 300,
    clock = systemClock,
    logger,
    ...bucket
  }: S3RecordingsOptions) {
    this.#spoolDir = spoolDir;
    this.#prefix = prefix;
    this.#urlSeconds = urlSeconds;
    this.#bucket = new Bucket(bucket);
    this.#spool = folderRecordings({ dir: spoolDir });
    this.#uploads = new Uploads({ clock, logger: logger ?? consoleLogger });
  }

  async create(orgId: string, callId: string): Promise<RecordingSink> {
    await this.#resume();
    const sink = await this.#spool.create(orgId, callId);
    return {
      setSampleRate: (sampleRateHz) => sink.setSampleRate?.(sampleRateHz),
      write: (samples) => sink.write(samples),
      close: async () => {
        await sink.close();
        this.#upload(spooledFile(this.#spoolDir, orgId, callId));
      },
    };
  }

  /** Serves a recording from the spool folder until it is uploaded. */
  async open(orgId: string, callId: string): ReturnType<RecordingStore['open']> {
    await this.#resume();
    const spooled = await this.#spool.open(orgId, callId);
    if (spooled !== null) return spooled;
    const key = this.#key(orgId, callId);
    const byteLength = await this.#bucket.byteLength(key);
    if (byteLength === null) return null;
    return {
      contentType: 'audio/wav',
      byteLength,
      url: await this.#bucket.signedUrl(key, this.#urlSeconds),
      read: (range = { start: 0, end: byteLength - 1 }) => this.#bucket.read(key, range),
    };
  }

  async link(orgId: string, callId: string, expiresInSeconds: number): Promise<string> {
    return await this.#bucket.signedUrl(this.#key(orgId, callId), expiresInSeconds);
  }

  async delete(orgId: string, callId: string): Promise<boolean> {
    await this.#resume();
    const key = this.#key(orgId, callId);
    await this.#uploads.cancel(key);
    const wasSpooled = await this.#spool.delete(orgId, callId);
    const wasStored = (await this.#bucket.byteLength(key)) !== null;
    if (wasStored || wasSpooled) await this.#bucket.delete(key);
    return wasStored || wasSpooled;
  }

  async close(): Promise<void> {
    await this.#uploads.close();
    await this.#bucket.close();
  }

  #key(orgId: string, callId: string): string {
    return `${this.#prefix}${orgId}/${callId}.wav`;
  }

  #upload(spooled: Spooled): void {
    const { orgId, callId, path } = spooled;
    this.#uploads.begin(this.#key(orgId, callId), async (signal) => {
      const byteLength = await sizeOf(path);
      if (byteLength === null) return;
      await this.#bucket.put(this.#key(orgId, callId), path, byteLength, signal);
      await this.#spool.delete(orgId, callId);
    });
  }

  /** Uploads the recordings that an earlier process left in the folder. Runs once, before this process writes to it. */
  #resume(): Promise<void> {
    this.#resumed ??= (async () => {
      for (const spooled of await leftBehind(this.#spoolDir)) {
        await completeHeader(spooled);
        this.#upload(spooled);
      }
    })().catch((thrown: unknown) => {
      this.#resumed = null;
      throw thrown;
    });
    return this.#resumed;
  }
}

const consoleLogger: Pick<Logger, 'warn'> = {
  warn: (fields: unknown, message?: string) => console.warn(message, fields),
};
