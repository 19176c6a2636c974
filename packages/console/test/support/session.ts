import { ApiError, type Client } from '@va/client';
import type { ConsoleSession } from '../../src/app/session/session.ts';

/** The methods of the client that a test expects to be called. Another one fails the call. */
export type ScriptedClient = { readonly [Group in keyof Client]?: Partial<Client[Group]> };

/** Returns the session of an API key with all scopes, whose requests the test answers. */
export function sessionWith(
  client: ScriptedClient,
  changes: Partial<Omit<ConsoleSession, 'client'>> = {},
): ConsoleSession {
  return {
    client: client as Client,
    organizationId: 'organization-1',
    scopes: ['*'],
    subject: null,
    isOperator: false,
    apiKey: 'va_live_1',
    ...changes,
  };
}

/** Returns the error of a refused request. */
export function refusal(message: string, changes: Partial<ApiError> = {}): ApiError {
  const facts = { code: 'invalid_request', message, param: null, errors: [], retryAfterMs: null };
  return new ApiError({ ...facts, status: 400, requestId: 'req-1', ...changes });
}

/** A promise that the test settles. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

export function deferred<T = void>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = () => {};
  let reject: Deferred<T>['reject'] = () => {};
  const promise = new Promise<T>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
}
