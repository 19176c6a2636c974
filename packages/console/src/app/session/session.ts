import { signal } from '@preact/signals';
import { ApiError, type Client, createClient } from '@va/client';
import { baseUrl } from './base-url.ts';

/** The signed-in user or API key, with an authenticated API client. */
export interface ConsoleSession {
  readonly client: Client;
  readonly organizationId: string;
  readonly scopes: readonly string[];
  /** Display name from the host; null for an API key. */
  readonly subject: string | null;
  /** True for operators of the deployment, who see all organizations. */
  readonly isOperator: boolean;
  /** The API key, kept in memory only; null for a session of the host. */
  readonly apiKey: string | null;
}

/** `unknown` until the host's session was checked; null if nobody is signed in. */
export const session = signal<ConsoleSession | null | 'unknown'>('unknown');

/** Signs in with an API key, which is kept in memory only: a reload requires it again. */
export async function signIn(apiKey: string): Promise<void> {
  session.value = await open(apiKey);
}

export function signOut(): void {
  session.value = null;
}

/** Signs in with the host's session if its `authenticate` accepts the cookies of the page. */
export async function resumeHostSession(): Promise<void> {
  try {
    session.value = await open(null);
  } catch {
    session.value = null;
  }
}

/** Returns true if the session has the scope. */
export function can(scopes: readonly string[], scope: string): boolean {
  return scopes.includes('*') || scopes.includes(scope);
}

async function open(apiKey: string | null): Promise<ConsoleSession> {
  const client = createClient({ baseUrl, apiKey: apiKey ?? '', ...(apiKey === null && { fetch: withoutKey }) });
  const access = await client.access.get();
  const { organization_id: organizationId, scopes, subject, is_operator: isOperator } = access;
  return { client, organizationId, scopes, subject, isOperator, apiKey };
}

/** Sends no `Authorization` header, which would override the host's cookies. */
const withoutKey: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  request.headers.delete('authorization');
  return await fetch(request);
};

/** Returns true if the service rejected the credentials. */
export function isUnauthorized(thrown: unknown): boolean {
  return thrown instanceof ApiError && thrown.status === 401;
}
