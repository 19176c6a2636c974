import type { RandomBytes } from '@va/core/adapter';
import { SipHeaders } from '../message/headers.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import { quote } from '../message/tokens.ts';
import { algorithmOf, type Challenge, readChallenges, realmKey } from './challenge.ts';
import { computeDigest } from './digest.ts';

/** User name and password issued by a provider. */
export interface DigestCredentials {
  readonly username: string;
  readonly password: string;
}

interface KnownChallenge {
  readonly challenge: Challenge;
  /** Nonce count: number of requests sent with this nonce. */
  uses: number;
}

/** Number of realms that can be challenged again; more than any proxy chain has. At most twice as many are stored. */
const maxRechallengedRealms = 4;

/**
 * Answers digest challenges and caches them, so that later requests of the same call carry credentials from the start.
 * @see RFC 3261 §22.3, RFC 7616 §3.4
 */
export class DigestClient {
  readonly #credentials: DigestCredentials;
  readonly #random: RandomBytes;
  readonly #known = new Map<string, KnownChallenge>();

  constructor(credentials: DigestCredentials, random: RandomBytes) {
    this.#credentials = credentials;
    this.#random = random;
  }

  /**
   * Stores the challenges of a 401 or 407.
   * @param answered realms for which the rejected request already carried credentials; realms answered now are added
   * @returns whether the request is worth repeating: false without a supported challenge, with too many, and when
   *   credentials were rejected for another reason than a stale nonce
   */
  take(response: SipResponse, answered: Set<string>): boolean {
    const challenges = readChallenges(response);
    if (challenges.length === 0 || challenges.length + this.#known.size > 2 * maxRechallengedRealms) return false;
    for (const challenge of challenges) {
      const key = realmKey(challenge);
      if (answered.has(key) && !challenge.stale) return false;
      answered.add(key);
      this.#known.set(key, { challenge, uses: 0 });
    }
    return true;
  }

  /** Returns the request with credentials for each stored challenge. */
  authorize(request: SipRequest): SipRequest {
    if (this.#known.size === 0) return request;
    const headers = SipHeaders.of(request.headers.entries());
    headers.remove('Authorization').remove('Proxy-Authorization');
    for (const known of this.#known.values()) {
      known.uses += 1;
      headers.add(known.challenge.credentialsField, this.#credentialsFor(known, request));
    }
    return { ...request, headers };
  }

  #credentialsFor({ challenge, uses }: KnownChallenge, request: SipRequest): string {
    const { username, password } = this.#credentials;
    const { realm, nonce, namedAlgorithm, qop, opaque } = challenge;
    const { method, uri, body } = request;
    const cnonce = Buffer.from(this.#random(8)).toString('hex');
    const nc = uses.toString(16).padStart(8, '0');
    const algorithm = algorithmOf(challenge);
    const digest = { algorithm, username, realm, password, method, uri, nonce, cnonce, nc, qop, body };
    // Nonce count, algorithm and qop are written without quotes, all other parameters with them: some peers insist on
    // either form.
    const parts = [
      `username=${quote(username)}`,
      `realm=${quote(realm)}`,
      `nonce=${quote(nonce)}`,
      `uri=${quote(uri)}`,
      `response="${computeDigest(digest)}"`,
    ];
    if (namedAlgorithm !== null) parts.push(`algorithm=${namedAlgorithm}`);
    if (opaque !== null) parts.push(`opaque=${quote(opaque)}`);
    if (qop !== null) parts.push(`qop=${qop}`, `nc=${nc}`);
    if (qop !== null || algorithm.endsWith('-sess')) parts.push(`cnonce="${cnonce}"`);
    return `Digest ${parts.join(', ')}`;
  }
}
