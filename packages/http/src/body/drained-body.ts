import { HttpError } from '../message/http-error.ts';
import type { RequestBody } from '../message/request-body.ts';

/** A request body that code of the host consumed without keeping it. Reading it throws an error that names the fix. */
export class DrainedBody implements RequestBody {
  readonly parsed = null;
  readonly isEncoded = false;

  async bytes(): Promise<Uint8Array> {
    throw bodyDrained();
  }

  // biome-ignore lint/correctness/useYield: it throws before the first chunk
  async *chunks(): AsyncGenerator<Uint8Array> {
    throw bodyDrained();
  }
}

function bodyDrained(): HttpError {
  const fix =
    'Mount the API before the body parsers, use the mount of your framework (toFastify, toKoa, toExpress), ' +
    'or let the parser keep the bytes as request.rawBody.';
  return new HttpError(
    500,
    'internal_error',
    `The request body was consumed before the API received the request. ${fix}`,
    {},
  );
}
