import type { RandomBytes } from '@va/core';
import { type SrtpAgreement, type SrtpSuiteName, srtpSuites, toSrtpSuite } from '@va/media';

/**
 * Whether media are encrypted (SRTP with keys in the description, RFC 4568): never; where the peer offers it, and in
 * our own offers where the signalling is encrypted too; or always, so that calls without it are refused.
 */
export type SrtpMode = 'off' | 'offered' | 'required';

/** One `a=crypto` line that we can use: how its sender encrypts what it sends. */
export interface CryptoAttribute {
  readonly tag: number;
  readonly suite: SrtpSuiteName;
  /** The master key and, behind it, the master salt. */
  readonly key: Uint8Array;
  /** The length of the key identifier in each packet; 0 where there is none. */
  readonly mkiBytes: number;
}

/** As the SDP library writes the line. */
interface CryptoText {
  readonly id: number;
  readonly suite: string;
  readonly config: string;
}

const maxCryptoLines = 32;
const maxMkiBytes = 128;

/** Session parameters that may be passed over; with any other the line is not usable. @see RFC 4568 §6.3 */
const harmlessParameter = /^WSH=\d+$/;

function readLine(line: string): CryptoAttribute | null {
  const [id = '', name = '', config = '', ...parameters] = line.trim().split(/ +/);
  const suite = toSrtpSuite(name);
  const tag = /^\d{1,9}$/.test(id) ? Number(id) : 0;
  if (suite === null || tag < 1 || !parameters.every((each) => harmlessParameter.test(each))) return null;
  // One master key: several would have to be told apart by identifiers that are hardly ever used.
  const match = /^inline:([A-Za-z0-9+/]{1,128}={0,2})((?:\|[^|;]{1,32}){0,2})$/.exec(config);
  if (match === null) return null;
  const key = Buffer.from(match[1] ?? '', 'base64');
  if (key.length !== suite.keyBytes + suite.saltBytes) return null;
  // "|2^20|1:4": the key's lifetime, which no call reaches, and the identifier with its length. Either may be missing.
  let mkiBytes = 0;
  for (const part of (match[2] ?? '').split('|')) {
    if (!part.includes(':')) continue;
    mkiBytes = Number(/^\d+:(\d{1,3})$/.exec(part)?.[1] ?? 0);
    if (mkiBytes < 1 || mkiBytes > maxMkiBytes) return null;
  }
  return { tag, suite: suite.name, key, mkiBytes };
}

/**
 * Reads the `a=crypto` lines of a media description, each from its tag on; those that we cannot use are left out.
 * @see RFC 4568 §9.1
 */
export function readCrypto(lines: readonly string[]): CryptoAttribute[] {
  return lines.slice(0, maxCryptoLines).flatMap((line) => readLine(line) ?? []);
}

/** An `a=crypto` line, as the SDP library writes it. */
export function writeCrypto(tag: number, suite: SrtpSuiteName, key: Uint8Array): CryptoText {
  return { id: tag, suite, config: `inline:${Buffer.from(key).toString('base64')}` };
}

/** What of a media description decides about its encryption. */
export interface SecurableLine {
  readonly protocol: string;
  readonly crypto: readonly CryptoAttribute[];
}

/**
 * Decides how a media line is encrypted: `null` is in the clear, `refused` that the line cannot be used.
 */
export type ChooseSecurity = (line: SecurableLine) => SrtpAgreement | null | 'refused';

function isSecure(protocol: string): boolean {
  return protocol.startsWith('RTP/SAVP');
}

/** Media in the clear, and no other. */
export const inTheClear: ChooseSecurity = (line) => (isSecure(line.protocol) ? 'refused' : null);

/**
 * The keys of one call's own media: the same key for a suite however often it is asked for, as it numbers packets on.
 */
export class LocalKeys {
  readonly #random: RandomBytes;
  readonly #keys = new Map<SrtpSuiteName, Uint8Array>();

  constructor(random: RandomBytes) {
    this.#random = random;
  }

  keyFor(suite: SrtpSuiteName): Uint8Array {
    const known = this.#keys.get(suite);
    if (known !== undefined) return known;
    const { keyBytes, saltBytes } = srtpSuites[suite];
    const key = this.#random(keyBytes + saltBytes);
    this.#keys.set(suite, key);
    return key;
  }
}

/**
 * How we answer: with the first suite of the offer that we have. Keys beside a plain RTP/AVP line are an offer too,
 * which an answer with keys takes up (RFC 8643).
 */
export function answerSecurity(mode: SrtpMode, keys: LocalKeys): ChooseSecurity {
  return (line) => {
    const offered = mode === 'off' ? undefined : line.crypto[0];
    if (offered !== undefined) {
      const { tag, suite, key, mkiBytes } = offered;
      return { tag, suite, localKey: keys.keyFor(suite), remoteKey: key, remoteMkiBytes: mkiBytes };
    }
    return mode === 'required' || isSecure(line.protocol) ? 'refused' : null;
  };
}

/**
 * How the answer to our offer is read, in which the first suite has tag 1. A suite or tag that we have not offered, or
 * none, is refused: the peer would encrypt otherwise than we.
 * @see RFC 4568 §5.1.2
 */
export function acceptSecurity(offered: readonly SrtpSuiteName[], keys: LocalKeys): ChooseSecurity {
  return (line) => {
    if (offered.length === 0) return line.crypto.length > 0 || isSecure(line.protocol) ? 'refused' : null;
    const [answer, ...others] = line.crypto;
    if (answer === undefined || others.length > 0 || !isSecure(line.protocol)) return 'refused';
    const { tag, suite, key, mkiBytes } = answer;
    if (offered[tag - 1] !== suite) return 'refused';
    return { tag, suite, localKey: keys.keyFor(suite), remoteKey: key, remoteMkiBytes: mkiBytes };
  };
}

/** Whether our own offers hold keys. */
export function offersKeys(mode: SrtpMode, secureSignalling: boolean): boolean {
  return mode === 'required' || (mode === 'offered' && secureSignalling);
}
