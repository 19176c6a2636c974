import { describe, expect, it } from 'vitest';
import {
  contentTypes,
  type DtlsRecord,
  openRecord,
  parseRecords,
  type RecordKeys,
  recordHeader,
  sealRecord,
} from '../../../../src/server/webrtc/dtls/record.ts';

const { alert, handshake, applicationData } = contentTypes;

function record(type: number, epoch: number, sequence: number, payload: string): Buffer {
  return Buffer.concat([recordHeader(type, epoch, sequence, payload.length), Buffer.from(payload)]);
}
const payloads = (datagram: Buffer): string[] => parseRecords(datagram).map(({ payload }) => String(payload));

describe('parseRecords', () => {
  it('reads the fields of each record of a datagram', () => {
    const datagram = Buffer.concat([record(handshake, 0, 7, 'one'), record(alert, 1, 0xffff_ffff_ffff, '')]);
    expect(parseRecords(datagram)).toMatchObject([
      { type: handshake, epoch: 0, sequence: 7, payload: Buffer.from('one') },
      { type: alert, epoch: 1, sequence: 0xffff_ffff_ffff, payload: Buffer.alloc(0) },
    ]);
    expect(parseRecords(datagram)[1]?.counter.toString('hex')).toBe('0001ffffffffffff');
  });

  it('accepts the version of DTLS 1.0, which a first ClientHello may have', () => {
    const hello = record(handshake, 0, 0, 'hello');
    hello.writeUInt16BE(0xfeff, 1);
    expect(payloads(hello)).toEqual(['hello']);
  });

  it.each([
    ['has an unknown version', (bytes: Buffer) => void bytes.writeUInt16BE(0x0303, 1)],
    ['is longer than the datagram', (bytes: Buffer) => void bytes.writeUInt16BE(0xffff, 11)],
  ])('drops a record that %s, with those after it', (_, change) => {
    const broken = record(handshake, 0, 1, 'broken');
    change(broken);
    const datagram = Buffer.concat([record(handshake, 0, 0, 'good'), broken, record(handshake, 0, 2, 'later')]);
    expect(payloads(datagram)).toEqual(['good']);
  });

  it.each([0, 1, 12])('returns nothing for %i bytes, less than a header', (length) => {
    expect(parseRecords(Buffer.alloc(length, 0xfe))).toEqual([]);
  });

  it('reads at most 32 records of a datagram', () => {
    const datagram = Buffer.concat(Array.from({ length: 40 }, (_, n) => record(handshake, 0, n, 'x')));
    expect(parseRecords(datagram)).toHaveLength(32);
  });
});

describe('an encrypted record', () => {
  const server: RecordKeys = {
    clientKey: Buffer.alloc(16, 1),
    serverKey: Buffer.alloc(16, 2),
    clientIv: Buffer.alloc(4, 3),
    serverIv: Buffer.alloc(4, 4),
  };
  /** The keys as the other side sees them, so that it opens what the server has sealed. */
  const client: RecordKeys = {
    clientKey: server.serverKey,
    serverKey: server.clientKey,
    clientIv: server.serverIv,
    serverIv: server.clientIv,
  };
  function sealed(text = 'secret'): DtlsRecord {
    const [parsed] = parseRecords(sealRecord(server, applicationData, 1, 5, Buffer.from(text)));
    if (parsed === undefined) throw new Error('The sealed record is malformed.');
    return parsed;
  }

  it.each(['', 'secret', 'x'.repeat(1_000)])('is opened with the keys of its sender', (text) => {
    expect(String(openRecord(client, sealed(text)))).toBe(text);
  });

  it('has an explicit nonce of epoch and sequence number, and a tag of 16 bytes', () => {
    const { payload } = sealed();
    expect(payload.subarray(0, 8).toString('hex')).toBe('0001000000000005');
    expect(payload).toHaveLength(8 + 'secret'.length + 16);
  });

  it.each([
    ['with the keys of the other direction', server, sealed()],
    ['with another type', client, { ...sealed(), type: handshake }],
    ['with another sequence number', client, { ...sealed(), counter: Buffer.from('0001000000000006', 'hex') }],
    ['without its last byte', client, { ...sealed(), payload: sealed().payload.subarray(0, -1) }],
    ['shorter than nonce and tag', client, { ...sealed(), payload: Buffer.alloc(23) }],
    ['that is empty', client, { ...sealed(), payload: Buffer.alloc(0) }],
  ])('is null %s', (_, keys, changed) => {
    expect(openRecord(keys, changed)).toBeNull();
  });

  it('is null when any byte of it was changed', () => {
    const { length } = sealed().payload;
    for (let at = 0; at < length; at++) {
      const changed = sealed();
      changed.payload.writeUInt8(changed.payload.readUInt8(at) ^ 1, at);
      expect(openRecord(client, changed)).toBeNull();
    }
  });
});
