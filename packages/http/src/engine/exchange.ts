import type { Principal } from '@va/core';
import type { RateStatus } from '../limits/minute-counter.ts';
import type { AdmittedStream } from '../limits/open-streams.ts';
import type { HttpRequest } from '../message/http-request.ts';

/** The state of one request on its way through the engine. */
export interface Exchange {
  readonly request: HttpRequest;
  /** The path before `/api/v1`, used in links. */
  readonly basePath: string;
  /** Null for a path outside the API. */
  readonly pathBelowApi: string | null;
  readonly requestId: string;
  /** Rate limit shown in the response, errors included; null before authentication and without a limit. */
  rate: RateStatus | null;
  /** Null before authentication. */
  principal: Principal | null;
  /** Origin of a page that presented a publishable key and may read the response; null for all other requests. */
  pageOrigin: string | null;
  /** The endless stream in the response; null for other responses. */
  stream: AdmittedStream | null;
}
