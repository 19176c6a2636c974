import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { toError, VaError } from '@va/core/adapter';

/** Location of a bucket, and its credentials. */
export interface BucketOptions {
  readonly bucket: string;
  /** `us-east-1` by default. */
  readonly region?: string;
  /** Endpoint of an S3-compatible service, such as `https://minio.example.com`. */
  readonly endpoint?: string;
  /**
   * Puts the bucket into the path instead of the host name, as most S3-compatible services require. True by default
   * with an `endpoint`.
   */
  readonly forcePathStyle?: boolean;
  /** By default those of the environment, the profile or the role of the machine. */
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

type S3Client = import('@aws-sdk/client-s3').S3Client;
type Sdk = typeof import('@aws-sdk/client-s3');

const contentType = 'audio/wav';

/** Objects of one bucket, accessed with the official client, which is loaded on first use. */
export class Bucket {
  readonly #options: BucketOptions;
  #opened: Promise<{ readonly sdk: Sdk; readonly client: S3Client }> | null = null;

  constructor(options: BucketOptions) {
    this.#options = options;
  }

  async put(key: string, path: string, byteLength: number, signal: AbortSignal): Promise<void> {
    const { sdk, client } = await this.#open();
    const body = createReadStream(path);
    // The file or its disk may disappear before or during the upload; that fails this request only.
    const broken = new AbortController();
    body.on('error', () => broken.abort());
    try {
      await once(body, 'open');
      const input = { ...this.#at(key), Body: body, ContentLength: byteLength, ContentType: contentType };
      const abortSignal = AbortSignal.any([signal, broken.signal]);
      await client.send(new sdk.PutObjectCommand(input), { abortSignal });
    } finally {
      body.destroy();
    }
  }

  /** Returns the size of an object; null if it does not exist. */
  async byteLength(key: string): Promise<number | null> {
    const { sdk, client } = await this.#open();
    try {
      const { ContentLength: length = 0 } = await client.send(new sdk.HeadObjectCommand(this.#at(key)));
      return length;
    } catch (thrown) {
      if (thrown instanceof sdk.S3ServiceException && thrown.$metadata.httpStatusCode === 404) return null;
      throw thrown;
    }
  }

  /** Returns the bytes from `start` to `end`, both inclusive. The request is sent on the first read. */
  read(key: string, { start, end }: { readonly start: number; readonly end: number }): ReadableStream<Uint8Array> {
    const bytes = async function* (this: Bucket): AsyncGenerator<Uint8Array> {
      const { sdk, client } = await this.#open();
      const { Body: body } = await client.send(
        new sdk.GetObjectCommand({ ...this.#at(key), Range: `bytes=${start}-${end}` }),
      );
      if (body instanceof Readable) yield* body;
    };
    return Readable.toWeb(Readable.from(bytes.call(this), { objectMode: false })) as ReadableStream<Uint8Array>;
  }

  async delete(key: string): Promise<void> {
    const { sdk, client } = await this.#open();
    await client.send(new sdk.DeleteObjectCommand(this.#at(key)));
  }

  /** Returns a presigned URL of the object. */
  async signedUrl(key: string, expiresIn: number): Promise<string> {
    const { sdk, client } = await this.#open();
    const { getSignedUrl } = await load(() => import('@aws-sdk/s3-request-presigner'));
    return await getSignedUrl(client, new sdk.GetObjectCommand(this.#at(key)), { expiresIn });
  }

  async close(): Promise<void> {
    (await this.#opened)?.client.destroy();
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#options.bucket, Key: key };
  }

  async #open(): Promise<{ readonly sdk: Sdk; readonly client: S3Client }> {
    this.#opened ??= connect(this.#options).catch((thrown: unknown) => {
      this.#opened = null;
      throw thrown;
    });
    return await this.#opened;
  }
}

async function connect(options: BucketOptions): Promise<{ sdk: Sdk; client: S3Client }> {
  const { region = 'us-east-1', endpoint, credentials } = options;
  const sdk = await load(() => import('@aws-sdk/client-s3'));
  const client = new sdk.S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: options.forcePathStyle ?? endpoint !== undefined,
    ...(credentials === undefined ? {} : { credentials }),
    // S3-compatible services do not support the checksums that the client adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Callers log failures themselves.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
  });
  return { sdk, client };
}

async function load<T>(imported: () => Promise<T>): Promise<T> {
  return await imported().catch((thrown: unknown) => {
    throw new VaError(
      'missing_peer',
      'The S3 client is not installed. Run npm install @aws-sdk/client-s3 @aws-sdk/s3-request-presigner.',
      { cause: toError(thrown) },
    );
  });
}
