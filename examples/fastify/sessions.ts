import { randomBytes } from 'node:crypto';
import type { HostPrincipal } from '@va/core';
import { findUser, principalOf } from './users.ts';

const sessions = new Map<string, HostPrincipal>();

/** Returns the token of a new session; null for a wrong name or password. */
export function signIn(name: unknown, password: unknown): string | null {
  const user = findUser(name, password);
  if (user === null) return null;
  const token = randomBytes(32).toString('base64url');
  sessions.set(token, principalOf(user));
  return token;
}

/** Returns the principal of a request by its `Authorization` header; null for an unknown session. */
export function signedIn(authorization: string | null | undefined): HostPrincipal | null {
  return sessions.get(authorization?.replace(/^Bearer /, '') ?? '') ?? null;
}
