import { RequestError } from '@va/core';

const maxBodyBytes = 1_048_576;

/** Reads a JSON body. Throws `RequestError`: 415 `unsupported_media_type`, 413 `body_too_large`, 400 `invalid_json`. */
export async function readJson(request: Request): Promise<unknown> {
  const mediaType = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (mediaType !== 'application/json') {
    throw new RequestError(415, 'unsupported_media_type', 'Send the body as Content-Type: application/json.');
  }
  const bytes = await readBytes(request);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalidJson('The body is not valid JSON in UTF-8.');
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw invalidJson('The body broke off.');
    });
    if (done) return Buffer.concat(chunks);
    byteLength += value.byteLength;
    if (byteLength > maxBodyBytes) {
      await reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(value);
  }
}

function invalidJson(message: string): RequestError {
  return new RequestError(400, 'invalid_json', message);
}

function tooLarge(): RequestError {
  return new RequestError(413, 'body_too_large', `A body may have ${maxBodyBytes} bytes.`);
}
