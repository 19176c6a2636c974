import { signal } from '@preact/signals';
import { ApiError, type Client, createClient } from '@va/client';
import { baseUrl } from './base-url.ts';

/** Who is signed in, and the client of the API with their credentials. */
export interface Session {
  readonly client: Client;
  readonly organizationId: string;
  readonly scopes: readonly string[];
  /** The host's name of the user; null for an API key. */
  readonly subject: string | null;
  /** True if the visitor operates the deployment. */
  readonly isOperator: boolean;
  /** The API key, which stays in memory; null for a session of the host. */
  readonly apiKey: string | null;
}

/** `unknown` until it is known whether the host has signed the visitor in; null where nobody is. */
export const session = signal<Session | null | 'unknown'>('unknown');

/** Signs in with an API key. It is kept in memory alone: a reload asks for it again. */
export async function signIn(apiKey: string): Promise<void> {
  session.value = await open(apiKey);
}

export function signOut(): void {
  session.value = null;
}

/** Uses the host's own session, if its `authenticate` accepts the page's cookies. */
export async function resumeHostSession(): Promise<void> {
  try {
    session.value = await open(null);
  } catch {
    session.value = null;
  }
}

/** True if the signed-in visitor has the scope. */
export function can(scopes: readonly string[], scope: string): boolean {
  return scopes.includes('*') || scopes.includes(scope);
}

async function open(apiKey: string | null): Promise<Session> {
  const client = createClient({ baseUrl, apiKey: apiKey ?? '', ...(apiKey === null && { fetch: withoutKey }) });
  const access = await client.access.get();
  const { organization_id: organizationId, scopes, subject, is_operator: isOperator } = access;
  return { client, organizationId, scopes, subject, isOperator, apiKey };
}

/** The browser sends the host's cookies by itself; an `Authorization` header would take their place. */
const withoutKey: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  request.headers.delete('authorization');
  return await fetch(request);
};

/** True if the service does not accept the credentials. */
export function isUnauthorized(thrown: unknown): boolean {
  return thrown instanceof ApiError && thrown.status === 401;
}
