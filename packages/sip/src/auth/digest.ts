import { createHash } from 'node:crypto';

/** Strongest first. @see RFC 7616 §6.1, RFC 8760 §2.1 */
export const digestAlgorithms = [
  'SHA-512-256',
  'SHA-512-256-sess',
  'SHA-256',
  'SHA-256-sess',
  'MD5',
  'MD5-sess',
] as const;

export type DigestAlgorithm = (typeof digestAlgorithms)[number];

/** Protected part: the request line only (`auth`), or the body too (`auth-int`). @see RFC 7616 §3.3 */
export type DigestQop = 'auth' | 'auth-int';

/** Inputs of a digest. */
export interface DigestParts {
  readonly algorithm: DigestAlgorithm;
  readonly username: string;
  readonly realm: string;
  readonly password: string;
  readonly method: string;
  /** The digest-uri as written in the Authorization field, which equals the Request-URI. */
  readonly uri: string;
  readonly nonce: string;
  readonly cnonce: string;
  /** Nonce count: eight hexadecimal digits. */
  readonly nc: string;
  /** Null for RFC 2069 servers, which do not support quality of protection. */
  readonly qop: DigestQop | null;
  readonly body: Uint8Array;
}

/** Returns the algorithm of that name, matched case-insensitively. */
export function toDigestAlgorithm(name: string): DigestAlgorithm | null {
  return digestAlgorithms.find((each) => each.toLowerCase() === name.toLowerCase()) ?? null;
}

function hashNameOf(algorithm: DigestAlgorithm): string {
  if (algorithm.startsWith('MD5')) return 'md5';
  return algorithm.startsWith('SHA-256') ? 'sha256' : 'sha512-256';
}

/** Computes the `response` of a digest in hexadecimal digits. @see RFC 7616 §3.4.1 */
export function computeDigest(parts: DigestParts): string {
  const { algorithm, username, realm, password, method, uri, nonce, cnonce, nc, qop, body } = parts;
  const hash = (data: string | Uint8Array): string => createHash(hashNameOf(algorithm)).update(data).digest('hex');
  const secret = hash(`${username}:${realm}:${password}`);
  const first = algorithm.endsWith('-sess') ? hash(`${secret}:${nonce}:${cnonce}`) : secret;
  const second = hash(qop === 'auth-int' ? `${method}:${uri}:${hash(body)}` : `${method}:${uri}`);
  return hash(qop === null ? `${first}:${nonce}:${second}` : `${first}:${nonce}:${nc}:${cnonce}:${qop}:${second}`);
}
