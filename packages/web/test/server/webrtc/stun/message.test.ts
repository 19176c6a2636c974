import { describe, expect, it } from 'vitest';
import {
  attributes,
  fingerprintOf,
  hasIntegrity,
  parseStun,
  stunHeaderBytes,
} from '../../../../src/server/webrtc/stun/message.ts';
import { bindingErrorResponse, bindingResponse, write } from '../../../../src/server/webrtc/stun/response.ts';

const transactionId = Buffer.alloc(12, 7);
const password = 'a-password-of-24-characters';

/** Writes a message of attributes as they are, without padding, integrity or fingerprint. */
function message(list: readonly (readonly [type: number, value: Buffer])[] = [], type = 1): Buffer {
  const header = Buffer.alloc(stunHeaderBytes);
  header.writeUInt16BE(type, 0);
  header.writeUInt32BE(0x2112a442, 4);
  header.set(transactionId, 8);
  const body = list.map(([attribute, value]) => {
    const bytes = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
    bytes.writeUInt16BE(attribute, 0);
    bytes.writeUInt16BE(value.length, 2);
    bytes.set(value, 4);
    return bytes;
  });
  const whole = Buffer.concat([header, ...body]);
  whole.writeUInt16BE(whole.length - stunHeaderBytes, 2);
  return whole;
}
const changed = (bytes: Buffer, change: (bytes: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};
const user = [attributes.username, Buffer.from('abc:def')] as const;

describe('parseStun', () => {
  it('reads a message without attributes', () => {
    expect(parseStun(message())).toEqual({
      ...{ type: 1, transactionId: Uint8Array.from(transactionId), username: null, useCandidate: false },
      ...{ isControlled: false, hasFingerprint: false, integrityAt: null, unknown: [] },
    });
  });

  it('reads the attributes of a check', () => {
    const check = message([user, [attributes.useCandidate, Buffer.alloc(0)], [attributes.priority, Buffer.alloc(4)]]);
    expect(parseStun(check)).toMatchObject({ username: 'abc:def', useCandidate: true, unknown: [] });
  });

  it.each([
    ['less than a header', message().subarray(0, 19)],
    ['a length that is not of whole words', Buffer.concat([message(), Buffer.alloc(1)])],
    ['another length than announced', changed(message([user]), (bytes) => void bytes.writeUInt16BE(4, 2))],
    ['another magic cookie', changed(message(), (bytes) => void bytes.writeUInt32BE(1, 4))],
    ['the first bits of RTP', changed(message(), (bytes) => void bytes.writeUInt8(0x80, 0))],
    ['an attribute beyond the end', changed(message([user]), (bytes) => void bytes.writeUInt16BE(9, 22))],
    ['a huge attribute', changed(message([user]), (bytes) => void bytes.writeUInt16BE(0xffff, 22))],
    ['an integrity of another length', message([[attributes.messageIntegrity, Buffer.alloc(16)]])],
    ['a fingerprint of another length', message([[attributes.fingerprint, Buffer.alloc(8)]])],
    ['a wrong fingerprint', message([[attributes.fingerprint, Buffer.alloc(4)]])],
    ['more than 32 attributes', message(Array.from({ length: 33 }, () => user))],
  ])('is null for %s', (_name, bytes) => {
    expect(parseStun(bytes)).toBeNull();
  });

  it('accepts 32 attributes', () => {
    expect(parseStun(message(Array.from({ length: 32 }, () => user)))).not.toBeNull();
  });

  it('is null for an attribute behind the fingerprint', () => {
    const whole = write(1, transactionId, [], password);
    const more = Buffer.concat([whole, message([user]).subarray(stunHeaderBytes)]);
    more.writeUInt16BE(more.length - stunHeaderBytes, 2);
    // The fingerprint is that of the longer message, so that only its place is wrong.
    const at = whole.length - 8;
    more.writeUInt32BE(fingerprintOf(more.subarray(0, at)), at + 4);
    expect(parseStun(more)).toBeNull();
  });

  it('lists unknown attributes only if they have to be understood', () => {
    const unknown = [0x7fff, 0x8000, 0xffff, 0x0001].map((type) => [type, Buffer.alloc(0)] as const);
    expect(parseStun(message(unknown))?.unknown).toEqual([0x7fff, 0x0001]);
  });

  it('ignores attributes that the integrity does not protect', () => {
    const integrity = [attributes.messageIntegrity, Buffer.alloc(20)] as const;
    const candidate = [attributes.useCandidate, Buffer.alloc(0)] as const;
    expect(parseStun(message([integrity, user, candidate]))).toMatchObject({ username: null, useCandidate: false });
  });
});

describe('hasIntegrity', () => {
  it('is false without the attribute', () => {
    const bytes = message([user]);
    const parsed = parseStun(bytes);
    expect(parsed !== null && hasIntegrity(bytes, parsed, password)).toBe(false);
  });

  it.each([
    [password, true],
    [`${password}x`, false],
    ['', false],
  ])('with the password %j is %j', (given, expected) => {
    const bytes = write(1, transactionId, [user], password);
    const parsed = parseStun(bytes);
    expect(parsed !== null && hasIntegrity(bytes, parsed, given)).toBe(expected);
  });
});

describe('the address in a response', () => {
  const addressOf = (address: string, port = 1): { family: number; port: number; bytes: string } => {
    const bytes = bindingResponse(transactionId, { address, port }, password);
    const mask = Buffer.concat([bytes.subarray(4, 8), transactionId]);
    const length = bytes.readUInt16BE(22) - 4;
    const value = bytes.subarray(28, 28 + length).map((byte, n) => byte ^ (mask[n] ?? 0));
    return {
      family: bytes.readUInt8(25),
      port: bytes.readUInt16BE(26) ^ 0x2112,
      bytes: Buffer.from(value).toString('hex'),
    };
  };

  it.each([
    ['192.0.2.1', 1, 'c0000201'],
    ['::ffff:192.0.2.1', 1, 'c0000201'],
    ['::', 2, '00000000000000000000000000000000'],
    ['::1', 2, '00000000000000000000000000000001'],
    ['2001:db8::', 2, '20010db8000000000000000000000000'],
    ['2001:db8::8:0:1', 2, '20010db8000000000000000800000001'],
    ['fe80::1%eth0', 2, 'fe800000000000000000000000000001'],
    ['1:2:3:4:5:6:7:8', 2, '00010002000300040005000600070008'],
  ])('%s is written whole', (address, family, bytes) => {
    expect(addressOf(address)).toEqual({ family, port: 1, bytes });
  });

  it.each([0, 1, 7_882, 65_535])('has the port %i', (port) => {
    expect(addressOf('192.0.2.1', port).port).toBe(port);
  });
});

describe('bindingErrorResponse', () => {
  it.each([
    [400, 'Bad Request'],
    [420, 'Unknown Attribute'],
    [487, 'Role Conflict'],
  ] as const)('of %i has its class, number and reason', (code, reason) => {
    const bytes = bindingErrorResponse(transactionId, code, password);
    const length = bytes.readUInt16BE(22);
    expect([...bytes.subarray(26, 28)]).toEqual([Math.floor(code / 100), code % 100]);
    expect(bytes.subarray(28, 24 + length).toString()).toBe(reason);
    expect(parseStun(bytes)).toMatchObject({ type: 0x0111, hasFingerprint: true });
  });
});
