import { describe, expect, it } from 'vitest';
import { MalformedMessage } from '../../../../src/server/webrtc/dtls/byte-reader.ts';
import {
  HandshakeAssembler,
  type HandshakeMessage,
  writeHandshake,
} from '../../../../src/server/webrtc/dtls/handshake-message.ts';

const body = Buffer.from('0123456789');

/** Writes bytes `start` to `end` of a message as one fragment. */
function fragment(message: HandshakeMessage, start: number, end: number): Buffer {
  const header = writeHandshake(message).subarray(0, 12);
  header.writeUIntBE(start, 6, 3);
  header.writeUIntBE(end - start, 9, 3);
  return Buffer.concat([header, message.body.subarray(start, end)]);
}
const message = (sequence: number, type = 16, content: Buffer = body): HandshakeMessage => ({
  ...{ type, sequence },
  body: content,
});
const whole = (sequence: number): Buffer => writeHandshake(message(sequence));

describe('writeHandshake', () => {
  it('writes a message as one fragment', () => {
    expect(writeHandshake(message(0x0102, 11, Buffer.from('abc'))).toString('hex')).toBe(
      ['0b', '000003', '0102', '000000', '000003', '616263'].join(''),
    );
  });
});

describe('HandshakeAssembler', () => {
  it('returns the messages of one record in order', () => {
    const { messages, isRepeated } = new HandshakeAssembler().push(Buffer.concat([whole(0), whole(1)]));
    expect([messages, isRepeated]).toEqual([[message(0), message(1)], false]);
  });

  it.each([
    ['in order', [0, 4], [4, 10]],
    ['in reverse order', [4, 10], [0, 4]],
    ['that overlap', [0, 7], [3, 10]],
    ['with an empty one', [0, 0], [0, 10]],
  ] as const)('reassembles fragments %s', (_, [start, end], [nextStart, nextEnd]) => {
    const assembler = new HandshakeAssembler();
    expect(assembler.push(fragment(message(0), start, end)).messages).toEqual([]);
    expect(assembler.push(fragment(message(0), nextStart, nextEnd)).messages).toEqual([message(0)]);
  });

  it('does not count a repeated fragment twice', () => {
    const assembler = new HandshakeAssembler();
    assembler.push(fragment(message(0), 0, 5));
    expect(assembler.push(fragment(message(0), 0, 5)).messages).toEqual([]);
    expect(assembler.push(fragment(message(0), 5, 10)).messages).toEqual([message(0)]);
  });

  it('keeps messages that arrive early until those before them are complete', () => {
    const assembler = new HandshakeAssembler();
    expect(assembler.push(Buffer.concat([whole(2), whole(1)])).messages).toEqual([]);
    expect(assembler.push(whole(0)).messages.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
  });

  it('drops messages more than three ahead, which bounds its memory', () => {
    const assembler = new HandshakeAssembler();
    assembler.push(Buffer.concat([whole(3), whole(4)]));
    const { messages } = assembler.push(Buffer.concat([whole(0), whole(1), whole(2)]));
    expect(messages.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3]);
  });

  it('reports a message that is repeated after it was complete', () => {
    const assembler = new HandshakeAssembler();
    assembler.push(whole(0));
    expect(assembler.push(whole(0))).toEqual({ messages: [], isRepeated: true });
    expect(assembler.push(Buffer.concat([whole(0), whole(1)]))).toEqual({ messages: [message(1)], isRepeated: true });
  });

  it.each([
    ['another type', fragment(message(0, 11), 5, 10)],
    ['another length', fragment(message(0, 16, Buffer.from('0123456789a')), 5, 10)],
  ])('drops a fragment with %s than those before it', (_, foreign) => {
    const assembler = new HandshakeAssembler();
    assembler.push(fragment(message(0), 0, 5));
    expect(assembler.push(foreign).messages).toEqual([]);
    expect(assembler.push(fragment(message(0), 5, 10)).messages).toEqual([message(0)]);
  });

  it('drops a fragment that ends beyond its message', () => {
    const beyond = fragment(message(0), 5, 10);
    beyond.writeUIntBE(6, 6, 3);
    const assembler = new HandshakeAssembler();
    expect(assembler.push(beyond).messages).toEqual([]);
    expect(assembler.push(whole(0)).messages).toEqual([message(0)]);
  });

  it.each([
    [8_192, 1],
    [8_193, 0],
  ])('with a message of %i bytes returns %i', (length, count) => {
    const large = writeHandshake(message(0, 11, Buffer.alloc(length)));
    expect(new HandshakeAssembler().push(large).messages).toHaveLength(count);
  });

  it('returns an empty message', () => {
    expect(new HandshakeAssembler().push(writeHandshake(message(0, 14, Buffer.alloc(0)))).messages).toHaveLength(1);
  });

  it.each([1, 11, 21])('throws for a record that is cut off after %i bytes', (length) => {
    expect(() => new HandshakeAssembler().push(whole(0).subarray(0, length))).toThrow(MalformedMessage);
  });
});
