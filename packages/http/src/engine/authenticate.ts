import type { HandlerHost, Principal } from '@va/core';
import type { HttpRequest } from './http-request.ts';

/** What a request shows of who sends it. */
export interface Credentials {
  readonly authorization: string | null;
  toRequest(): Request;
}

export function authenticate(host: HandlerHost, request: HttpRequest): Promise<Principal> {
  const credentials: Credentials = {
    authorization: request.header('authorization'),
    toRequest: () => request.toRequest(),
  };
  return host.authenticate(credentials.toRequest());
}
