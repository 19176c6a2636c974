import { isIPv6 } from 'node:net';
import { type Endpoint, normalizeAddress } from '@va/media';
import {
  attributes,
  bindingError,
  bindingSuccess,
  fingerprintOf,
  integrityOf,
  magicCookie,
  stunHeaderBytes,
} from './message.ts';

/** Attribute: type and value. */
type Attribute = readonly [type: number, value: Uint8Array];

const reasons = { 400: 'Bad Request', 420: 'Unknown Attribute', 487: 'Role Conflict' } as const;

/** Returns the response to a connectivity check, with the source address of the check. @see RFC 8445 §7.3.1.2 */
export function bindingResponse(transactionId: Uint8Array, from: Endpoint, password: string): Buffer {
  return write(
    bindingSuccess,
    transactionId,
    [[attributes.xorMappedAddress, xorAddress(transactionId, from)]],
    password,
  );
}

/** @param unknown types of unknown attributes, for error 420 */
export function bindingErrorResponse(
  transactionId: Uint8Array,
  code: keyof typeof reasons,
  password: string,
  unknown: readonly number[] = [],
): Buffer {
  const reason = Buffer.from(reasons[code]);
  const error: Attribute = [
    attributes.errorCode,
    Buffer.concat([Buffer.of(0, 0, Math.floor(code / 100), code % 100), reason]),
  ];
  const types = Buffer.alloc(2 * unknown.length);
  for (const [n, type] of unknown.entries()) types.writeUInt16BE(type, 2 * n);
  const all: Attribute[] = unknown.length === 0 ? [error] : [error, [attributes.unknownAttributes, types]];
  return write(bindingError, transactionId, all, password);
}

/** Writes a message with MESSAGE-INTEGRITY and FINGERPRINT. */
export function write(type: number, transactionId: Uint8Array, list: readonly Attribute[], password: string): Buffer {
  const header = Buffer.alloc(stunHeaderBytes);
  header.writeUInt16BE(type, 0);
  header.writeUInt32BE(magicCookie, 4);
  header.set(transactionId, 8);
  let message: Buffer = Buffer.concat([header, ...list.map(encode)]);
  message = Buffer.concat([message, encode([attributes.messageIntegrity, integrityOf(message, password)])]);
  message.writeUInt16BE(message.length - stunHeaderBytes + 8, 2);
  const fingerprint = Buffer.alloc(4);
  fingerprint.writeUInt32BE(fingerprintOf(message), 0);
  return Buffer.concat([message, encode([attributes.fingerprint, fingerprint])]);
}

function encode([type, value]: Attribute): Buffer {
  const bytes = Buffer.alloc(4 + value.length + ((4 - (value.length % 4)) % 4));
  bytes.writeUInt16BE(type, 0);
  bytes.writeUInt16BE(value.length, 2);
  bytes.set(value, 4);
  return bytes;
}

/** @see RFC 8489 §14.2 */
function xorAddress(transactionId: Uint8Array, { address, port }: Endpoint): Buffer {
  const mask = Buffer.alloc(16);
  mask.writeUInt32BE(magicCookie, 0);
  mask.set(transactionId, 4);
  const plain = addressBytes(normalizeAddress(address));
  const value = Buffer.alloc(4 + plain.length);
  value[1] = plain.length === 4 ? 1 : 2;
  value.writeUInt16BE(port ^ (magicCookie >>> 16), 2);
  for (const [n, byte] of plain.entries()) value[4 + n] = byte ^ (mask[n] ?? 0);
  return value;
}

/** Returns the bytes of an IP address; those of `::` for any other string. */
function addressBytes(address: string): Uint8Array {
  if (!isIPv6(address)) {
    const parts = address.split('.').map(Number);
    return parts.length === 4 ? Uint8Array.from(parts) : new Uint8Array(16);
  }
  const [before = '', after] = (address.split('%')[0] ?? '').split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const first = groups(before);
  const last = after === undefined ? [] : groups(after);
  const all = [...first, ...new Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
