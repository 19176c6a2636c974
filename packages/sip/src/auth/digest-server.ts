import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock, RandomBytes } from '@va/core';
import type { SipRequest } from '../message/message.ts';
import { type Params, quote } from '../message/tokens.ts';
import { decodeUser, parseUri } from '../message/uri.ts';
import { computeDigest, type DigestAlgorithm, type DigestQop, toDigestAlgorithm } from './digest.ts';
import { parseDigestParams } from './digest-params.ts';

export interface DigestServerOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly realm: string;
  /** Most wanted first; each gets a challenge of its own. SHA-256 and MD5 by default: few phones know more. */
  readonly algorithms?: readonly DigestAlgorithm[];
  /** How long a nonce may be used. Five minutes by default. */
  readonly nonceLifeMs?: number;
}

/**
 * `unproven`: there is no answer, or it is wrong. `stale`: it is right, but its nonce is too old or was used before.
 */
export type DigestVerdict =
  | { readonly type: 'proven'; readonly username: string }
  | { readonly type: 'unproven' }
  | { readonly type: 'stale' };

/** The password of a user, and null for one whom nobody knows. */
export type PasswordLookup = (username: string) => string | null | Promise<string | null>;

const defaultNonceLifeMs = 300_000;
/** Beyond this many nonces in use the oldest are forgotten, and their users asked anew. */
const maxNoncesInUse = 10_000;

/**
 * Demands digests of those who call us, and checks them. Nonces hold their own time and a seal, so that a flood of
 * requests without answers costs no memory; only nonces that were used rightly are kept, with the highest count seen.
 * @see RFC 3261 §22.1, RFC 7616 §3.3, §5.4 (replay), RFC 8760
 */
export class DigestServer {
  readonly #options: DigestServerOptions;
  readonly #algorithms: readonly DigestAlgorithm[];
  readonly #lifeMs: number;
  readonly #key: Uint8Array;
  readonly #counts = new Map<string, number>();
  /** Nonces of this time and before are refused when they are not known: their counts may have been forgotten. */
  #forgottenAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: DigestServerOptions) {
    this.#options = options;
    this.#algorithms = options.algorithms ?? ['SHA-256', 'MD5'];
    this.#lifeMs = options.nonceLifeMs ?? defaultNonceLifeMs;
    this.#key = options.random(32);
  }

  /** The header fields of a 401. */
  challenge(stale = false): [name: string, value: string][] {
    const nonce = this.#newNonce();
    const hint = stale ? ', stale=true' : '';
    return this.#algorithms.map((algorithm) => [
      'WWW-Authenticate',
      `Digest realm=${quote(this.#options.realm)}, nonce="${nonce}", algorithm=${algorithm}, qop="auth,auth-int"${hint}`,
    ]);
  }

  /** Checks who sent a request. A digest proves it once: sent again by somebody else it is `stale`. */
  async verify(request: SipRequest, passwordOf: PasswordLookup): Promise<DigestVerdict> {
    for (const text of request.headers.all('Authorization')) {
      const params = parseDigestParams(text);
      if (params === null || params.get('realm') !== this.#options.realm) continue;
      const username = params.get('username') ?? '';
      const password = await passwordOf(username);
      return password === null ? { type: 'unproven' } : this.#check(request, params, username, password);
    }
    return { type: 'unproven' };
  }

  #check(request: SipRequest, params: Params, username: string, password: string): DigestVerdict {
    const nonce = params.get('nonce') ?? '';
    const nc = params.get('nc') ?? '';
    const qop = toQop(params.get('qop'));
    const algorithm = toDigestAlgorithm(params.get('algorithm') ?? 'MD5');
    const uri = params.get('uri') ?? '';
    const issuedAtMs = this.#timeOf(nonce);
    const offered = algorithm !== null && this.#algorithms.includes(algorithm);
    // A digest for one number must not serve for another (RFC 7616 §3.4.6). Hosts may differ, as proxies rewrite them,
    // and some phones name the server alone. Without qop there is no replay check.
    const user = userOf(uri);
    if (user !== null && user !== userOf(request.uri)) return { type: 'unproven' };
    if (!offered || qop === null || issuedAtMs === null || !/^[0-9a-f]{8}$/i.test(nc)) return { type: 'unproven' };
    const { realm } = this.#options;
    const { method, wholeBody: body = request.body } = request;
    const cnonce = params.get('cnonce') ?? '';
    const digest = { algorithm, username, realm, password, method, uri, nonce, cnonce, nc, qop, body };
    if (!isSame(computeDigest(digest), params.get('response') ?? '')) return { type: 'unproven' };
    if (this.#options.clock.nowMs() - issuedAtMs > this.#lifeMs) return { type: 'stale' };
    if (!this.#counts.has(nonce) && issuedAtMs <= this.#forgottenAtMs) return { type: 'stale' };
    const count = Number.parseInt(nc, 16);
    if (count <= (this.#counts.get(nonce) ?? 0)) return { type: 'stale' };
    this.#remember(nonce, count);
    return { type: 'proven', username };
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

  /** When we made the nonce; null when it is not ours. */
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

/** Compares without telling by its time how much is right. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other.toLowerCase())];
  return a.length === b.length && timingSafeEqual(a, b);
}
