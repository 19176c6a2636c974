import { createCipheriv, createDecipheriv } from 'node:crypto';
import { uint } from './byte-reader.ts';

export const contentTypes = { changeCipherSpec: 20, alert: 21, handshake: 22, applicationData: 23 } as const;

export const dtls12 = 0xfefd;
const dtls10 = 0xfeff;
const recordHeaderBytes = 13;
const explicitNonceBytes = 8;
const tagBytes = 16;
const maxRecordsPerDatagram = 32;

/** A received record. */
export interface DtlsRecord {
  readonly type: number;
  readonly epoch: number;
  /** 48 bits. */
  readonly sequence: number;
  /** The payload, encrypted unless the epoch is 0. */
  readonly payload: Buffer;
  /** Epoch and sequence number as in the header, which are the explicit part of the nonce in AES-GCM. */
  readonly counter: Buffer;
}

/**
 * Returns the records of a datagram up to the first malformed one.
 *
 *     | type (8) | version (16) | epoch (16) | sequence number (48) | length (16) | payload |
 *
 * @see RFC 6347 §4.1
 */
export function parseRecords(datagram: Buffer): DtlsRecord[] {
  const records: DtlsRecord[] = [];
  for (let at = 0; at + recordHeaderBytes <= datagram.length && records.length < maxRecordsPerDatagram; ) {
    const version = datagram.readUInt16BE(at + 1);
    const start = at + recordHeaderBytes;
    const end = start + datagram.readUInt16BE(at + 11);
    if (end > datagram.length || (version !== dtls12 && version !== dtls10)) break;
    records.push({
      type: datagram.readUInt8(at),
      epoch: datagram.readUInt16BE(at + 3),
      sequence: datagram.readUIntBE(at + 5, 6),
      payload: datagram.subarray(start, end),
      counter: datagram.subarray(at + 3, at + 11),
    });
    at = end;
  }
  return records;
}

/** @param length of the payload that follows, encrypted or not */
export function recordHeader(type: number, epoch: number, sequence: number, length: number): Buffer {
  return Buffer.concat([Buffer.of(type), uint(dtls12, 2), uint(epoch, 2), uint(sequence, 6), uint(length, 2)]);
}

/** The keys of both directions. @see RFC 5288 §3 */
export interface RecordKeys {
  readonly clientKey: Uint8Array;
  readonly serverKey: Uint8Array;
  /** Implicit part of the nonce: 4 bytes. */
  readonly clientIv: Uint8Array;
  readonly serverIv: Uint8Array;
}

/** Encrypts a record of the server with AES-128-GCM. @see RFC 5288 §3, RFC 6347 §4.1.2.1 */
export function sealRecord(
  keys: RecordKeys,
  type: number,
  epoch: number,
  sequence: number,
  payload: Uint8Array,
): Buffer {
  const length = explicitNonceBytes + payload.length + tagBytes;
  const header = recordHeader(type, epoch, sequence, length);
  const counter = header.subarray(3, 11);
  const cipher = createCipheriv('aes-128-gcm', keys.serverKey, Buffer.concat([keys.serverIv, counter]));
  cipher.setAAD(additionalData(counter, type, payload.length));
  const sealed = Buffer.concat([cipher.update(payload), cipher.final()]);
  return Buffer.concat([header, counter, sealed, cipher.getAuthTag()]);
}

/** Decrypts a record of the client; null if it is not authentic. */
export function openRecord(keys: RecordKeys, { type, payload, counter }: DtlsRecord): Buffer | null {
  const length = payload.length - explicitNonceBytes - tagBytes;
  if (length < 0) return null;
  const nonce = Buffer.concat([keys.clientIv, payload.subarray(0, explicitNonceBytes)]);
  const decipher = createDecipheriv('aes-128-gcm', keys.clientKey, nonce);
  decipher.setAAD(additionalData(counter, type, length));
  decipher.setAuthTag(payload.subarray(payload.length - tagBytes));
  try {
    return Buffer.concat([decipher.update(payload.subarray(explicitNonceBytes, -tagBytes)), decipher.final()]);
  } catch {
    return null;
  }
}

function additionalData(counter: Uint8Array, type: number, length: number): Buffer {
  return Buffer.concat([counter, Buffer.of(type), uint(dtls12, 2), uint(length, 2)]);
}
