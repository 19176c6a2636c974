import type { RandomBytes } from '@va/core/adapter';
import { type SrtpAgreement, type SrtpSuiteName, srtpSuites, toSrtpSuite } from '@va/media';

/**
 * Media encryption by SRTP with keys in the description (RFC 4568): `off`, never; `offered`, if the peer offers it, and
 * in local offers if the signalling is encrypted; `required`, always, so that calls without it are rejected.
 */
export type SrtpMode = 'off' | 'offered' | 'required';

/** A usable `a=crypto` line: how its sender encrypts its packets. */
export interface CryptoAttribute {
  readonly tag: number;
  readonly suite: SrtpSuiteName;
  /** Master key followed by the master salt. */
  readonly key: Uint8Array;
  /** Length of the master key identifier (MKI) in each packet; 0 if there is none. */
  readonly mkiBytes: number;
}

/** An `a=crypto` line in the form of the SDP library. */
interface CryptoText {
  readonly id: number;
  readonly suite: string;
  readonly config: string;
}

const maxCryptoLines = 32;
const maxMkiBytes = 128;

/** Session parameters that can be ignored; a line with any other is not usable. @see RFC 4568 §6.3 */
const harmlessParameter = /^WSH=\d+$/;

function readLine(line: string): CryptoAttribute | null {
  const [id = '', name = '', config = '', ...parameters] = line.trim().split(/ +/);
  const suite = toSrtpSuite(name);
  const tag = /^\d{1,9}$/.test(id) ? Number(id) : 0;
  if (suite === null || tag < 1 || !parameters.every((each) => harmlessParameter.test(each))) return null;
  // Only one master key is supported: several would need MKIs to tell them apart, which are hardly ever used.
  const match = /^inline:([A-Za-z0-9+/]{1,128}={0,2})((?:\|[^|;]{1,32}){0,2})$/.exec(config);
  if (match === null) return null;
  const key = Buffer.from(match[1] ?? '', 'base64');
  if (key.length !== suite.keyBytes + suite.saltBytes) return null;
  // "|2^20|1:4": lifetime of the key, which no call reaches, and the MKI with its length. Both are optional.
  let mkiBytes = 0;
  for (const part of (match[2] ?? '').split('|')) {
    if (!part.includes(':')) continue;
    mkiBytes = Number(/^\d+:(\d{1,3})$/.exec(part)?.[1] ?? 0);
    if (mkiBytes < 1 || mkiBytes > maxMkiBytes) return null;
  }
  return { tag, suite: suite.name, key, mkiBytes };
}

/**
 * Parses the `a=crypto` lines of a media description, each from its tag on; unusable ones are left out.
 * @see RFC 4568 §9.1
 */
export function readCrypto(lines: readonly string[]): CryptoAttribute[] {
  return lines.slice(0, maxCryptoLines).flatMap((line) => readLine(line) ?? []);
}

/** Builds an `a=crypto` line in the form of the SDP library. */
export function writeCrypto(tag: number, suite: SrtpSuiteName, key: Uint8Array): CryptoText {
  return { id: tag, suite, config: `inline:${Buffer.from(key).toString('base64')}` };
}

/** The parts of a media description that decide about its encryption. */
interface SecurableLine {
  readonly protocol: string;
  readonly crypto: readonly CryptoAttribute[];
}

/** Decides how a media line is encrypted: `null` means unencrypted, `refused` that the line cannot be used. */
export type ChooseSecurity = (line: SecurableLine) => SrtpAgreement | null | 'refused';

function isSecure(protocol: string): boolean {
  return protocol.startsWith('RTP/SAVP');
}

/** Rejects encrypted media. */
export const unencryptedOnly: ChooseSecurity = (line) => (isSecure(line.protocol) ? 'refused' : null);

/** Local SRTP keys of one call. Each suite keeps its key, because packet numbering continues. */
export class LocalSrtpKeys {
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
 * Answers with the first supported suite of the offer. Keys beside a plain RTP/AVP line are an offer too, which an
 * answer with keys accepts (RFC 8643).
 */
export function answerSecurity(mode: SrtpMode, srtpKeys: LocalSrtpKeys): ChooseSecurity {
  return (line) => {
    const offered = mode === 'off' ? undefined : line.crypto[0];
    if (offered !== undefined) {
      const { tag, suite, key, mkiBytes } = offered;
      return { tag, suite, localKey: srtpKeys.keyFor(suite), remoteKey: key, remoteMkiBytes: mkiBytes };
    }
    return mode === 'required' || isSecure(line.protocol) ? 'refused' : null;
  };
}

/**
 * Evaluates the answer to a local offer, in which the first suite has tag 1. Rejects a suite or tag that was not
 * offered, and an answer without one: the peer would encrypt differently.
 * @see RFC 4568 §5.1.2
 */
export function acceptSecurity(offered: readonly SrtpSuiteName[], srtpKeys: LocalSrtpKeys): ChooseSecurity {
  return (line) => {
    if (offered.length === 0) return line.crypto.length > 0 || isSecure(line.protocol) ? 'refused' : null;
    const [answer, ...others] = line.crypto;
    if (answer === undefined || others.length > 0 || !isSecure(line.protocol)) return 'refused';
    const { tag, suite, key, mkiBytes } = answer;
    if (offered[tag - 1] !== suite) return 'refused';
    return { tag, suite, localKey: srtpKeys.keyFor(suite), remoteKey: key, remoteMkiBytes: mkiBytes };
  };
}

/** Tells whether local offers contain keys. */
export function offersKeys(mode: SrtpMode, secureSignalling: boolean): boolean {
  return mode === 'required' || (mode === 'offered' && secureSignalling);
}
