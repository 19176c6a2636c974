import { hash } from 'node:crypto';
import type { RandomBytes } from '../ids.ts';

/** Permission of a token: to place a call from a browser, or to join one. */
export type TokenKind = 'call' | 'supervision';

/** Tokens of supervisors begin differently, so that one look-up finds what a token is for. */
const prefixes: Readonly<Record<TokenKind, string>> = { call: '', supervision: 's.' };
const secret = /^[A-Za-z0-9_-]{43}$/;

/** Returns a new token with 256 random bits. */
export function newToken(kind: TokenKind, random: RandomBytes): string {
  return `${prefixes[kind]}${Buffer.from(random(32)).toString('base64url')}`;
}

/** Returns the kind of a token; null for a text that is not a token. */
export function tokenKind(text: string): TokenKind | null {
  const kind = text.startsWith(prefixes.supervision) ? 'supervision' : 'call';
  return secret.test(text.slice(prefixes[kind].length)) ? kind : null;
}

/** Returns the form in which tokens are stored. */
export function tokenHash(token: string): string {
  return hash('sha256', token);
}
