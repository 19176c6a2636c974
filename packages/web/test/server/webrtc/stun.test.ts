import { describe, expect, it } from 'vitest';
import { attributes, hasIntegrity, integrityOf, parseStun } from '../../../src/server/webrtc/stun/message.ts';
import { bindingErrorResponse, bindingResponse, write } from '../../../src/server/webrtc/stun/response.ts';

/** @see RFC 5769 §2.1 to §2.3 */
const password = 'VOkJxbRl1RmTxUk/WvJxBt';
const request = Buffer.from(
  '000100582112a442b7e7a701bc34d686fa87dfae802200105354554e207465737420636c69656e74' +
    '002400046e0001ff80290008932ff9b151263b36000600096576746a3a68367659202020' +
    '000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a280280004e57a3bcf',
  'hex',
);
const response4 = Buffer.from(
  '0101003c2112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220' +
    '002000080001a147e112a643000800142b91f599fd9e90c38c7489f92af9ba53f06be7d780280004c07d4c96',
  'hex',
);
const response6 = Buffer.from(
  '010100482112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220' +
    '002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9' +
    '00080014a382954e4be67bf11784c97c8292c275bfe3ed4180280004c8fb0b4c',
  'hex',
);
const transactionId = request.subarray(8, 20);

function parsed(bytes: Buffer) {
  const message = parseStun(bytes);
  if (message === null) throw new Error('no STUN message');
  return message;
}

describe('parseStun', () => {
  it('reads the sample request of RFC 5769, whose integrity its password proves', () => {
    const message = parsed(request);
    expect(message).toMatchObject({ type: 1, username: 'evtj:h6vY', isControlled: true, hasFingerprint: true });
    expect(message.unknown).toEqual([]);
    expect(hasIntegrity(request, message, password)).toBe(true);
    expect(hasIntegrity(request, message, `${password}x`)).toBe(false);
  });

  it.each([
    ['IPv4', response4],
    ['IPv6', response6],
  ])('reads the sample response with an %s address', (_, bytes) => {
    expect(hasIntegrity(bytes, parsed(bytes), password)).toBe(true);
    expect(parsed(bytes).hasFingerprint).toBe(true);
  });

  it('refuses every message with one changed bit in its integrity or fingerprint', () => {
    for (let at = 0; at < request.length; at++) {
      const changed = Buffer.from(request);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const message = parseStun(changed);
      const isAccepted = message?.hasFingerprint === true && hasIntegrity(changed, message, password);
      expect(isAccepted).toBe(false);
    }
  });

  it('ignores attributes behind the integrity', () => {
    const unprotected = Buffer.concat([request.subarray(0, -8), Buffer.from('002500000025000000250000', 'hex')]);
    unprotected.writeUInt16BE(unprotected.length - 20, 2);
    expect(parsed(unprotected).useCandidate).toBe(false);
  });

  it('lists unknown attributes that must be understood', () => {
    const bytes = write(1, transactionId, [[0x7f01, Buffer.of(1, 2, 3)]], password);
    expect(parsed(bytes).unknown).toEqual([0x7f01]);
  });
});

describe('bindingResponse', () => {
  it.each([
    ['192.0.2.1', response4],
    ['2001:db8:1234:5678:11:2233:4455:6677', response6],
    ['::ffff:192.0.2.1', response4],
  ])('encodes %s as RFC 5769 does', (address, sample) => {
    const bytes = bindingResponse(transactionId, { address, port: 32_853 }, password);
    const at = sample.indexOf(Buffer.from('0020', 'hex'), 32);
    const length = 4 + sample.readUInt16BE(at + 2);
    expect(bytes.subarray(20, 20 + length)).toEqual(sample.subarray(at, at + length));
    expect(hasIntegrity(bytes, parsed(bytes), password)).toBe(true);
    expect(parsed(bytes).hasFingerprint).toBe(true);
  });

  it('is no longer than the shortest check that it answers', () => {
    const check = write(1, transactionId, [[attributes.username, Buffer.from('abcdefgh:ijkl')]], password);
    expect(bindingResponse(transactionId, { address: '192.0.2.1', port: 1 }, password).length).toBeLessThanOrEqual(
      check.length,
    );
  });
});

it('bindingErrorResponse › names its code and the unknown attributes', () => {
  const bytes = bindingErrorResponse(transactionId, 420, password, [0x7f01]);
  expect(bytes.readUInt16BE(0)).toBe(0x0111);
  expect(bytes.subarray(24, 28)).toEqual(Buffer.of(0, 0, 4, 20));
  expect(bytes.includes(Buffer.from('000a00027f010000', 'hex'))).toBe(true);
  expect(integrityOf(bytes.subarray(0, -32), password)).toEqual(bytes.subarray(-28, -8));
});
