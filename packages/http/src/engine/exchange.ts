import type { Principal } from '@va/core';
import type { HttpRequest } from './http-request.ts';
import type { RateStatus } from './minute-counter.ts';
import type { AdmittedStream } from './open-streams.ts';

/** One request on its way through the engine. */
export interface Exchange {
  readonly request: HttpRequest;
  /** The path that comes before `/api/v1` in links. */
  readonly basePath: string;
  /** Null where the path is none of the API's. */
  readonly pathBelowApi: string | null;
  readonly requestId: string;
  /** Known as soon as the caller is; every answer tells it, errors too. */
  rate: RateStatus | null;
  /** Null before the caller is known. */
  principal: Principal | null;
  /** The stream without an end that answers the request; null for other answers. */
  stream: AdmittedStream | null;
}
