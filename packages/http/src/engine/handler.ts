import type { MetricsOptions } from '../metrics/access.ts';
import type { CorsOptions } from './cors.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { HttpRequest } from './http-request.ts';
import type { RateLimitOptions } from './rate-limits.ts';

export interface HandlerOptions {
  /** The path that the API's own `/api/v1` comes after, such as `/voice`. A mount that knows its path needs none. */
  readonly basePath?: string;
  /** Of each process; 100 requests a minute for a key and 10 control commands for a call by default, 0 for no limit. */
  readonly rateLimits?: RateLimitOptions;
  /** Which pages of other origins may call the API from a browser; none by default. */
  readonly cors?: CorsOptions;
  /**
   * Whether there is a page at `/api/v1/docs`; not by default. It is drawn by `@scalar/api-reference`, which the host
   * installs, or by the file of its browser bundle that is named here.
   */
  readonly docs?: boolean | { readonly bundle: string };
  /**
   * Whether there are figures for Prometheus at `/api/v1/metrics`, and who may read them; not by default. They are of the
   * whole process: a key of the API, which is of one organization, does not open them.
   */
  readonly metrics?: MetricsOptions;
}

/** The REST API. `toNode` and the other mounts put it into a server; what speaks `Request` and `Response` calls `fetch`. */
export interface Handler {
  /** Never rejects. Takes paths with the base path, and without it where a router has cut it off. */
  fetch(request: Request): Promise<Response>;
  /**
   * What the mounts are made of. Never rejects.
   * @param mountPath the path that the host's router has put the API under, percent-encoded
   */
  answer(request: HttpRequest, mountPath?: string): Promise<HttpAnswer>;
  /** Whether a path, percent-encoded, is one of the API's; the host may have others beside it. */
  covers(path: string, mountPath?: string): boolean;
  /**
   * Answers 503 from now on and ends the streams of events; resolves when no request is being worked on and no answer
   * being streamed.
   */
  close(): Promise<void>;
}
