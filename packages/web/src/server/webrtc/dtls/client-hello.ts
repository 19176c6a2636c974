import { ByteReader } from './byte-reader.ts';
import { dtls12 } from './record.ts';

export const cipherSuite = 0xc02b; // TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
export const namedCurve = 23; // secp256r1
export const ecdsaSha256 = 0x0403;
export const rsaSha256 = 0x0401;
const renegotiationScsv = 0x00ff;

export const extensionTypes = {
  supportedGroups: 10,
  pointFormats: 11,
  signatureAlgorithms: 13,
  useSrtp: 14,
  extendedMasterSecret: 23,
  supportedVersions: 43,
  renegotiationInfo: 0xff01,
} as const;

/** The parts of a ClientHello that are negotiated here. */
export interface ClientHello {
  readonly random: Buffer;
  readonly cookie: Buffer;
  readonly srtpProfiles: readonly number[];
  readonly hasPointFormats: boolean;
  readonly hasRenegotiationInfo: boolean;
  /** Name of a required feature that the client does not support; null if it supports all of them. */
  readonly missing: string | null;
}

/**
 * @throws MalformedMessage
 * @see RFC 5246 §7.4.1.2, RFC 6347 §4.2.1
 */
export function parseClientHello(body: Buffer): ClientHello {
  const reader = new ByteReader(body);
  const version = reader.uint16();
  const random = reader.bytes(32);
  reader.vector(1);
  const cookie = reader.vector(1);
  const suites = reader.uint16s(2);
  const compressions = reader.vector(1);
  const extensions = new Map<number, Buffer>();
  const list = new ByteReader(reader.isAtEnd ? Buffer.alloc(0) : reader.vector(2));
  while (!list.isAtEnd) extensions.set(list.uint16(), list.vector(2));
  const numbersOf = (type: number): readonly number[] => {
    const data = extensions.get(type);
    return data === undefined ? [] : new ByteReader(data).uint16s(2);
  };
  const versions = extensions.get(extensionTypes.supportedVersions);
  const isSpoken = versions === undefined ? version === dtls12 : new ByteReader(versions).uint16s(1).includes(dtls12);
  const needs: readonly (readonly [string, boolean])[] = [
    ['DTLS 1.2', isSpoken],
    ['ECDHE-ECDSA-AES128-GCM-SHA256', suites.includes(cipherSuite)],
    ['uncompressed records', compressions.includes(0)],
    ['P-256', numbersOf(extensionTypes.supportedGroups).includes(namedCurve)],
    ['ECDSA with SHA-256', numbersOf(extensionTypes.signatureAlgorithms).includes(ecdsaSha256)],
    ['the extended master secret', extensions.has(extensionTypes.extendedMasterSecret)],
  ];
  return {
    random,
    cookie,
    srtpProfiles: numbersOf(extensionTypes.useSrtp),
    hasPointFormats: extensions.has(extensionTypes.pointFormats),
    hasRenegotiationInfo: extensions.has(extensionTypes.renegotiationInfo) || suites.includes(renegotiationScsv),
    missing: needs.find(([, isMet]) => !isMet)?.[0] ?? null,
  };
}
