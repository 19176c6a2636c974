import { type KeyObject, sign } from 'node:crypto';
import { uint, vector } from './byte-reader.ts';
import { type ClientHello, cipherSuite, ecdsaSha256, extensionTypes, namedCurve, rsaSha256 } from './client-hello.ts';
import { dtls12 } from './record.ts';

const ecdsaSign = 64;
const rsaSign = 1;
const namedCurveType = 3;

/**
 * Writes a HelloVerifyRequest. Its version is that of DTLS 1.0, whichever version is negotiated.
 * @see RFC 6347 §4.2.1
 */
export function helloVerifyRequest(cookie: Uint8Array): Buffer {
  return Buffer.concat([uint(0xfeff, 2), vector(1, cookie)]);
}

/** @see RFC 5246 §7.4.1.3 */
export function serverHello(random: Uint8Array, client: ClientHello, srtpProfile: number): Buffer {
  const extensions = [
    extension(extensionTypes.extendedMasterSecret),
    extension(extensionTypes.useSrtp, vector(2, uint(srtpProfile, 2)), vector(1)),
  ];
  if (client.hasRenegotiationInfo) extensions.push(extension(extensionTypes.renegotiationInfo, vector(1)));
  if (client.hasPointFormats) extensions.push(extension(extensionTypes.pointFormats, vector(1, Buffer.of(0))));
  const noSessionId = vector(1);
  const noCompression = Buffer.of(0);
  return Buffer.concat([
    ...[uint(dtls12, 2), random, noSessionId, uint(cipherSuite, 2), noCompression],
    vector(2, ...extensions),
  ]);
}

export function certificateMessage(der: Uint8Array): Buffer {
  return vector(3, vector(3, der));
}

/** @see RFC 8422 §5.4 */
export function serverKeyExchange(
  key: KeyObject,
  publicPoint: Uint8Array,
  clientRandom: Uint8Array,
  serverRandom: Uint8Array,
): Buffer {
  const parameters = Buffer.concat([Buffer.of(namedCurveType), uint(namedCurve, 2), vector(1, publicPoint)]);
  const signature = sign('sha256', Buffer.concat([clientRandom, serverRandom, parameters]), key);
  return Buffer.concat([parameters, uint(ecdsaSha256, 2), vector(2, signature)]);
}

/**
 * Writes a CertificateRequest without authorities: certificates are verified by their fingerprint. @see RFC 5246 §7.4.4
 */
export function certificateRequest(): Buffer {
  const algorithms = vector(2, uint(ecdsaSha256, 2), uint(rsaSha256, 2));
  return Buffer.concat([vector(1, Buffer.of(ecdsaSign, rsaSign)), algorithms, vector(2)]);
}

function extension(type: number, ...data: readonly Uint8Array[]): Buffer {
  return Buffer.concat([uint(type, 2), vector(2, ...data)]);
}
