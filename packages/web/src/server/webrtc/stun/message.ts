import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const stunHeaderBytes = 20;
export const magicCookie = 0x2112a442;
const fingerprintMask = 0x5354554e;
const integrityBytes = 20;

/** Attribute types. @see RFC 8489 §18.3, RFC 8445 §16.1 */
export const attributes = {
  mappedAddress: 0x0001,
  username: 0x0006,
  messageIntegrity: 0x0008,
  errorCode: 0x0009,
  unknownAttributes: 0x000a,
  realm: 0x0014,
  nonce: 0x0015,
  xorMappedAddress: 0x0020,
  priority: 0x0024,
  useCandidate: 0x0025,
  software: 0x8022,
  fingerprint: 0x8028,
  iceControlled: 0x8029,
  iceControlling: 0x802a,
} as const;

export const bindingRequest = 0x0001;
export const bindingSuccess = 0x0101;
export const bindingError = 0x0111;

/** Attributes below 0x8000 that a binding request may have; others require an error 420. @see RFC 8489 §6.3.1 */
const understood: ReadonlySet<number> = new Set<number>([
  attributes.username,
  attributes.messageIntegrity,
  attributes.priority,
  attributes.useCandidate,
]);
const maxAttributes = 32;

/** A STUN message with a valid structure and, if present, a valid FINGERPRINT. Its integrity is unverified. */
export interface StunMessage {
  readonly type: number;
  readonly transactionId: Uint8Array;
  readonly username: string | null;
  readonly useCandidate: boolean;
  /** Attribute ICE-CONTROLLED: the sender expects the receiver to control the session. */
  readonly isControlled: boolean;
  readonly hasFingerprint: boolean;
  /** Byte offset of the attribute MESSAGE-INTEGRITY; null without one. */
  readonly integrityAt: number | null;
  /** Types of unknown comprehension-required attributes. */
  readonly unknown: readonly number[];
}

/**
 * Parses a datagram as a STUN message; null if it is not one.
 *
 *      0                   1                   2                   3
 *      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *     |0 0|     type (14 bits)        |     length without header     |
 *     |                     magic cookie 0x2112A442                   |
 *     |                    transaction id (96 bits)                   |
 *
 * @see RFC 8489 §5
 */
export function parseStun(bytes: Buffer): StunMessage | null {
  if (bytes.length < stunHeaderBytes || bytes.length % 4 !== 0) return null;
  const type = bytes.readUInt16BE(0);
  if (type >= 0x4000 || bytes.readUInt16BE(2) !== bytes.length - stunHeaderBytes) return null;
  if (bytes.readUInt32BE(4) !== magicCookie) return null;
  let username: string | null = null;
  let useCandidate = false;
  let isControlled = false;
  let hasFingerprint = false;
  let integrityAt: number | null = null;
  const unknown: number[] = [];
  let count = 0;
  for (let at = stunHeaderBytes; at < bytes.length; ) {
    count += 1;
    // FINGERPRINT must be the last attribute.
    if (hasFingerprint || count > maxAttributes || at + 4 > bytes.length) return null;
    const attribute = bytes.readUInt16BE(at);
    const length = bytes.readUInt16BE(at + 2);
    const next = at + 4 + length + ((4 - (length % 4)) % 4);
    if (next > bytes.length) return null;
    const value = bytes.subarray(at + 4, at + 4 + length);
    if (attribute === attributes.fingerprint) {
      if (length !== 4 || value.readUInt32BE(0) !== fingerprintOf(bytes.subarray(0, at))) return null;
      hasFingerprint = true;
    } else if (integrityAt !== null) {
      // Attributes behind MESSAGE-INTEGRITY are not protected, and MUST be ignored (RFC 8489 §14.5).
    } else if (attribute === attributes.messageIntegrity) {
      if (length !== integrityBytes) return null;
      integrityAt = at;
    } else if (attribute === attributes.username) username = value.toString('utf8');
    else if (attribute === attributes.useCandidate) useCandidate = true;
    else if (attribute === attributes.iceControlled) isControlled = true;
    else if (attribute < 0x8000 && !understood.has(attribute)) unknown.push(attribute);
    at = next;
  }
  const transactionId = Uint8Array.from(bytes.subarray(8, stunHeaderBytes));
  return { type, transactionId, username, useCandidate, isControlled, hasFingerprint, integrityAt, unknown };
}

/**
 * Verifies MESSAGE-INTEGRITY with the password (short-term credentials).
 * @see RFC 8489 §14.5
 */
export function hasIntegrity(bytes: Buffer, { integrityAt }: StunMessage, password: string): boolean {
  if (integrityAt === null) return false;
  const expected = integrityOf(bytes.subarray(0, integrityAt), password);
  return timingSafeEqual(expected, bytes.subarray(integrityAt + 4, integrityAt + 4 + integrityBytes));
}

/** @param before the message up to the attribute; its length field is read as if the attribute were the last one */
export function integrityOf(before: Uint8Array, password: string): Buffer {
  const header = Buffer.from(before.subarray(0, stunHeaderBytes));
  header.writeUInt16BE(before.length - stunHeaderBytes + 4 + integrityBytes, 2);
  return createHmac('sha1', password).update(header).update(before.subarray(stunHeaderBytes)).digest();
}

/** @param before the message up to the attribute, with the length field of the whole message */
export function fingerprintOf(before: Uint8Array): number {
  return (crc32(before) ^ fingerprintMask) >>> 0;
}
