import { createHmac, sign, timingSafeEqual } from 'node:crypto';
import { type JsonFields, numberOf, parsed } from '../shared/web/fields.ts';

/** Maximum age of a webhook's token in seconds. */
const maxAgeSeconds = 300;
/** Validity of an API token in seconds. */
const validSeconds = 300;
const maxTokenLength = 4_096;

export interface ApiTokenOptions {
  readonly applicationId: string;
  /** PEM. */
  readonly privateKey: string;
  /** Unique id of the token. */
  readonly id: string;
  readonly wallMs: number;
}

/** Returns an API token: RS256 with the application's private key (RFC 7519). */
export function apiToken({ applicationId, privateKey, id, wallMs }: ApiTokenOptions): string {
  const iat = Math.floor(wallMs / 1_000);
  const claims = { application_id: applicationId, iat, exp: iat + validSeconds, jti: id };
  const signed = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
}

/** Returns the unverified claims of a webhook's token; null if it is not a token. */
export function claimsOf(token: string): JsonFields | null {
  const [, claims, ...rest] = token.slice(0, maxTokenLength).split('.', 4);
  return claims === undefined || rest.length !== 1 ? null : decoded(claims);
}

/** Verifies a webhook's token: its HS256 signature and its age. */
export function isSigned(token: string, secret: string, wallMs: number): boolean {
  const [head = '', claims = '', signature = '', ...rest] = token.slice(0, maxTokenLength).split('.', 4);
  if (rest.length > 0 || decoded(head)?.alg !== 'HS256') return false;
  const expected = createHmac('sha256', secret).update(`${head}.${claims}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  const { iat, exp } = decoded(claims) ?? {};
  const nowSeconds = wallMs / 1_000;
  const issued = numberOf(iat);
  const expires = numberOf(exp) ?? Number.POSITIVE_INFINITY;
  return issued !== null && Math.abs(nowSeconds - issued) <= maxAgeSeconds && nowSeconds < expires;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decoded(part: string): JsonFields | null {
  return parsed(Buffer.from(part, 'base64url').toString('utf8'));
}
