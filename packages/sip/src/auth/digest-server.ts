import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock, RandomBytes } from '@va/core/adapter';
import type { SipRequest } from '../message/message.ts';
import { quote, type SipParams } from '../message/tokens.ts';
import { decodeUser, parseUri } from '../message/uri.ts';
import { computeDigest, type DigestAlgorithm, type DigestQop, toDigestAlgorithm } from './digest.ts';
import { parseDigestParams } from './digest-params.ts';

interface DigestServerOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly realm: string;
  /** In order of preference; each gets its own challenge. Default: SHA-256 and MD5, because few phones support more. */
  readonly algorithms?: readonly DigestAlgorithm[];
  /** Lifetime of a nonce. Default: five minutes. */
  readonly nonceLifeMs?: number;
}

/**
 * `unauthenticated`: credentials are missing or wrong. `stale`: they are correct, but the nonce has expired or was used
 * before.
 */
type DigestVerdict =
  | { readonly type: 'authenticated'; readonly username: string }
  | { readonly type: 'unauthenticated' }
  | { readonly type: 'stale' };

/** Returns the password of a user, or null for an unknown user. */
export type PasswordLookup = (username: string) => string | null | Promise<string | null>;

const defaultNonceLifeMs = 300_000;
/** Maximum number of nonces in use. Beyond it the oldest are dropped, and their users are challenged again. */
const maxNoncesInUse = 10_000;

/**
 * Challenges callers and verifies their credentials. A nonce carries its own timestamp and HMAC, so that a flood of
 * unauthenticated requests uses no memory; only nonces that were used with correct credentials are stored, with the
 * highest nonce count seen.
 * @see RFC 3261 §22.1, RFC 7616 §3.3, §5.4 (replay), RFC 8760
 */
export class DigestServer {
  readonly #options: DigestServerOptions;
  readonly #algorithms: readonly DigestAlgorithm[];
  readonly #lifeMs: number;
  readonly #key: Uint8Array;
  readonly #counts = new Map<string, number>();
  /** Unknown nonces created at this time or before are rejected: their nonce counts may have been dropped. */
  #forgottenAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: DigestServerOptions) {
    this.#options = options;
    this.#algorithms = options.algorithms ?? ['SHA-256', 'MD5'];
    this.#lifeMs = options.nonceLifeMs ?? defaultNonceLifeMs;
    this.#key = options.random(32);
  }

  /** Returns the header fields of a 401 response. */
  challenge(stale = false): [name: string, value: string][] {
    const nonce = this.#newNonce();
    const hint = stale ? ', stale=true' : '';
    return this.#algorithms.map((algorithm) => [
      'WWW-Authenticate',
      `Digest realm=${quote(this.#options.realm)}, nonce="${nonce}", algorithm=${algorithm}, ` +
        `qop="auth,auth-int"${hint}`,
    ]);
  }

  /** Verifies the credentials of a request. A digest is valid once: a replay is `stale`. */
  async verify(request: SipRequest, passwordOf: PasswordLookup): Promise<DigestVerdict> {
    for (const text of request.headers.all('Authorization')) {
      const params = parseDigestParams(text);
      if (params === null || params.get('realm') !== this.#options.realm) continue;
      const username = params.get('username') ?? '';
      const password = await passwordOf(username);
      return password === null ? { type: 'unauthenticated' } : this.#check(request, params, username, password);
    }
    return { type: 'unauthenticated' };
  }

  #check(request: SipRequest, params: SipParams, username: string, password: string): DigestVerdict {
    const nonce = params.get('nonce') ?? '';
    const nc = params.get('nc') ?? '';
    const qop = toQop(params.get('qop'));
    const algorithm = toDigestAlgorithm(params.get('algorithm') ?? 'MD5');
    const uri = params.get('uri') ?? '';
    const issuedAtMs = this.#timeOf(nonce);
    const offered = algorithm !== null && this.#algorithms.includes(algorithm);
    // A digest for one number must not be valid for another (RFC 7616 §3.4.6). Hosts may differ because proxies rewrite
    // them, and some phones send only the server's name. Without qop there is no replay protection.
    const user = userOf(uri);
    if (user !== null && user !== userOf(request.uri)) return { type: 'unauthenticated' };
    if (!offered || qop === null || issuedAtMs === null || !/^[0-9a-f]{8}$/i.test(nc))
      return { type: 'unauthenticated' };
    const { realm } = this.#options;
    const { method, wholeBody: body = request.body } = request;
    const cnonce = params.get('cnonce') ?? '';
    const digest = { algorithm, username, realm, password, method, uri, nonce, cnonce, nc, qop, body };
    if (!isSame(computeDigest(digest), params.get('response') ?? '')) return { type: 'unauthenticated' };
    if (this.#options.clock.nowMs() - issuedAtMs > this.#lifeMs) return { type: 'stale' };
    if (!this.#counts.has(nonce) && issuedAtMs <= this.#forgottenAtMs) return { type: 'stale' };
    const count = Number.parseInt(nc, 16);
    if (count <= (this.#counts.get(nonce) ?? 0)) return { type: 'stale' };
    this.#remember(nonce, count);
    return { type: 'authenticated', username };
  }

  #remember(nonce: string, count: number): void {
    this.#counts.delete(nonce);
    this.#counts.set(nonce, count);
    const oldestAtMs = this.#options.clock.nowMs() - this.#lifeMs;
    for (const known of this.#counts.keys()) {
      const issuedAtMs = this.#timeOf(known) ?? 0;
      if (this.#counts.size <= maxNoncesInUse && issuedAtMs >= oldestAtMs) break;
      this.#counts.delete(known);
      this.#forgottenAtMs = Math.max(this.#forgottenAtMs, issuedAtMs);
    }
  }

  #newNonce(): string {
    const time = Math.floor(this.#options.clock.nowMs()).toString(16);
    const text = `${time}.${Buffer.from(this.#options.random(8)).toString('hex')}`;
    return `${text}.${this.#seal(text)}`;
  }

  /** Creation time of a nonce; null when this server did not create it. */
  #timeOf(nonce: string): number | null {
    const [time = '', random = '', seal = ''] = nonce.split('.');
    return isSame(this.#seal(`${time}.${random}`), seal) ? Number.parseInt(time, 16) : null;
  }

  #seal(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('hex').slice(0, 32);
  }
}

function userOf(uri: string): string | null {
  const parsed = parseUri(uri);
  return parsed === null || parsed.user === null ? null : decodeUser(parsed);
}

function toQop(text: string | undefined): DigestQop | null {
  return text === 'auth' || text === 'auth-int' ? text : null;
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other.toLowerCase())];
  return a.length === b.length && timingSafeEqual(a, b);
}
