import { HttpError } from '../engine/error-answer.ts';
import type { RequestBody } from './request-body.ts';

/** A body that something of the host's has read and not kept. Nothing can be done about it here, so it says what to do. */
export class DrainedBody implements RequestBody {
  readonly parsed = null;
  readonly isEncoded = false;

  async bytes(): Promise<Uint8Array> {
    throw bodyDrained();
  }

  // biome-ignore lint/correctness/useYield: there is nothing to give
  async *chunks(): AsyncGenerator<Uint8Array> {
    throw bodyDrained();
  }
}

function bodyDrained(): HttpError {
  const fix =
    'Mount the API before the body parsers, or with the mount for your framework (toFastify, toKoa, toExpress), ' +
    'or have the parser keep the bytes as request.rawBody.';
  return new HttpError(
    500,
    'internal_error',
    `The body had been read before the API was given the request. ${fix}`,
    {},
  );
}
