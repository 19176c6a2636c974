import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpRequest } from '../engine/http-request.ts';

/** Figures as text, such as those of `@va/http/prometheus`. */
export interface MetricsSource {
  readonly contentType: string;
  read(): Promise<string>;
}

/** Where the figures come from, and who may read them: who knows the token, or whom the host lets. */
export type MetricsOptions = { readonly source: MetricsSource } & (
  | { readonly bearerToken: string }
  | { readonly authorize: (request: Request) => boolean | Promise<boolean> }
);

export async function mayRead(options: MetricsOptions, request: HttpRequest): Promise<boolean> {
  if ('authorize' in options) return await options.authorize(request.toRequest());
  const [, token] = /^Bearer +(\S+) *$/i.exec(request.header('authorization') ?? '') ?? [];
  return token !== undefined && timingSafeEqual(digest(token), digest(options.bearerToken));
}

/** Of the same length, whatever was sent. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
