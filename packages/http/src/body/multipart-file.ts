import { Readable } from 'node:stream';
import { RequestError } from '@va/core';

/** Limits of a form. All parts other than its first file are discarded. */
const limits = { files: 1, parts: 100, fieldSize: 65_536, headerPairs: 100 };

/**
 * Opens the first file of a `multipart/form-data` body as a stream.
 * @throws RequestError 400 for a form without a file
 * @see RFC 7578
 */
export async function openMultipartFile(
  wire: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<{ file: AsyncIterable<Uint8Array>; close: () => void }> {
  // Loaded on first use: most services never receive a form.
  const { Busboy } = await import('@fastify/busboy');
  const source = Readable.from(wire, { objectMode: false });
  const parser = toParser(() => new Busboy({ headers: { 'content-type': contentType }, limits }));
  const close = (): void => {
    source.unpipe(parser);
    source.destroy();
    parser.destroy();
  };

  const opened = new Promise<Readable>((resolve, reject) => {
    let open: Readable | null = null;
    const fail = (error: Error): void => {
      reject(error);
      open?.destroy(error);
      parser.destroy();
    };
    parser.on('file', (_field, file) => {
      open = file;
      file.on('error', () => {});
      resolve(file);
    });
    parser.on('error', () => fail(malformed()));
    parser.on('finish', () => fail(missingFile()));
    source.on('error', fail);
  });
  source.pipe(parser);
  try {
    return { file: bytesOf(await opened), close };
  } catch (error) {
    close();
    throw error;
  }
}

async function* bytesOf(file: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of file) yield chunk;
  } catch (error) {
    throw error instanceof RequestError ? error : malformed();
  }
}

function toParser<T>(make: () => T): T {
  try {
    return make();
  } catch {
    throw malformed();
  }
}

function malformed(): RequestError {
  return new RequestError(400, 'invalid_field', 'The body is not a well-formed multipart/form-data.');
}

function missingFile(): RequestError {
  const fault = { path: 'file', code: 'missing_field', message: 'is required' };
  return new RequestError(400, fault.code, 'The form has no file.', [fault]);
}
