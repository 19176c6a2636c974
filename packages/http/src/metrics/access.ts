import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpRequest } from '../message/http-request.ts';

/** A source of metrics in Prometheus' text format, such as `@va/http/prometheus`. */
export interface MetricsSource {
  readonly contentType: string;
  read(): Promise<string>;
}

/**
 * The source of the metrics, and their readers: holders of a bearer token, or senders of requests that a function of
 * the host admits.
 */
export type MetricsOptions = { readonly source: MetricsSource } & (
  | { readonly bearerToken: string }
  | { readonly authorize: (request: Request) => boolean | Promise<boolean> }
);

/** Returns true if the sender of the request may read the metrics. Rejects if the host's `authorize` rejects. */
export async function mayRead(options: MetricsOptions, request: HttpRequest): Promise<boolean> {
  if ('authorize' in options) return await options.authorize(request.toRequest());
  const [, token] = /^Bearer +(\S+) *$/i.exec(request.header('authorization') ?? '') ?? [];
  return token !== undefined && timingSafeEqual(digest(token), digest(options.bearerToken));
}

/** Hashes a token to a fixed length, for a constant-time comparison. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
