import type { HandlerHost, Principal } from '@va/core';

/** What a request shows of who sends it. */
export interface Credentials {
  readonly authorization: string | null;
  toRequest(): Request;
}

export function authenticate(host: HandlerHost, credentials: Credentials): Promise<Principal> {
  return host.authenticate(credentials.toRequest());
}
