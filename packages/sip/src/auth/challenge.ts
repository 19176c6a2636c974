import type { SipResponse } from '../message/message.ts';
import { type DigestAlgorithm, type DigestQop, digestAlgorithms, toDigestAlgorithm } from './digest.ts';
import { parseDigestParams } from './digest-params.ts';

/** A digest challenge of a 401 or 407 response. @see RFC 7616 §3.3 */
export interface Challenge {
  /** Header field that carries the credentials. */
  readonly credentialsField: 'Authorization' | 'Proxy-Authorization';
  readonly realm: string;
  readonly nonce: string;
  /** Null when the challenge names no algorithm: MD5 is used, and the credentials omit the parameter too. */
  readonly namedAlgorithm: DigestAlgorithm | null;
  readonly qop: DigestQop | null;
  readonly opaque: string | null;
  /** True when the credentials were correct but their nonce had expired. */
  readonly stale: boolean;
}

const fields = [
  ['WWW-Authenticate', 'Authorization'],
  ['Proxy-Authenticate', 'Proxy-Authorization'],
] as const;

function toQop(text: string | undefined): DigestQop | null | undefined {
  if (text === undefined) return null;
  const offered = text.split(',').map((each) => each.trim().toLowerCase());
  if (offered.includes('auth')) return 'auth';
  return offered.includes('auth-int') ? 'auth-int' : undefined;
}

function parseChallenge(text: string, credentialsField: Challenge['credentialsField']): Challenge | null {
  const params = parseDigestParams(text);
  const [realm, nonce] = [params?.get('realm'), params?.get('nonce')];
  if (params === null || realm === undefined || nonce === undefined) return null;
  const name = params.get('algorithm');
  const namedAlgorithm = name === undefined ? null : toDigestAlgorithm(name);
  const qop = toQop(params.get('qop'));
  if ((name !== undefined && namedAlgorithm === null) || qop === undefined) return null;
  const stale = params.get('stale')?.toLowerCase() === 'true';
  return { credentialsField, realm, nonce, namedAlgorithm, qop, opaque: params.get('opaque') ?? null, stale };
}

export function algorithmOf(challenge: Challenge): DigestAlgorithm {
  return challenge.namedAlgorithm ?? 'MD5';
}

/**
 * Returns the key of a realm. Challenges of one realm are alternatives; those of different realms must all be answered.
 */
export function realmKey(challenge: Challenge): string {
  return `${challenge.credentialsField}|${challenge.realm}`;
}

/**
 * Returns the challenges of a 401 or 407 that this client can answer: per realm the one with the strongest algorithm.
 * @see RFC 8760 §2.4
 */
export function readChallenges(response: SipResponse): Challenge[] {
  const strongest = new Map<string, Challenge>();
  const rank = (challenge: Challenge): number => digestAlgorithms.indexOf(algorithmOf(challenge));
  for (const [field, credentialsField] of fields) {
    for (const text of response.headers.all(field)) {
      const challenge = parseChallenge(text, credentialsField);
      if (challenge === null) continue;
      const known = strongest.get(realmKey(challenge));
      if (known === undefined || rank(challenge) < rank(known)) strongest.set(realmKey(challenge), challenge);
    }
  }
  return [...strongest.values()];
}
