import { describe, expect, it } from 'vitest';
import { StreamFramer, type StreamItem } from '../../src/transport/stream-framer.ts';
import { requestText, wire } from '../support/messages.ts';

const one = wire(requestText({ sdp: 'v=0\n' }));
const two = wire(requestText({ method: 'BYE', cseq: 2 }));

function kinds(items: readonly StreamItem[]): string[] {
  return items.map((item) => item.kind);
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

describe('StreamFramer', () => {
  it('finds several messages in one chunk', () => {
    const items = new StreamFramer().push(join(one, two));
    expect(items).toEqual([
      { kind: 'message', bytes: one },
      { kind: 'message', bytes: two },
    ]);
  });

  it('assembles messages that arrive byte by byte', () => {
    const framer = new StreamFramer();
    const items = [...join(one, two)].flatMap((byte) => framer.push(Uint8Array.of(byte)));
    expect(items.map((item) => (item.kind === 'message' ? item.bytes.length : 0))).toEqual([one.length, two.length]);
  });

  it('distinguishes keep-alive pings from line ends before a message', () => {
    const framer = new StreamFramer();
    expect(kinds(framer.push(wire('\n\n')))).toEqual(['ping']);
    expect(kinds(framer.push(join(wire('\n'), one)))).toEqual(['message']);
    expect(kinds(framer.push(wire('\n')))).toEqual([]);
    expect(kinds(framer.push(wire('\n')))).toEqual(['ping']);
  });

  it.each([
    ['two lengths', 'l: 1\nContent-Length: 2'],
    ['a negative length', 'Content-Length: -5'],
    ['too long a body', 'Content-Length: 70000'],
  ])('stops at %s, and accepts nothing after it', (_, line) => {
    const framer = new StreamFramer();
    expect(kinds(framer.push(wire(`OPTIONS sip:a@b SIP/2.0\n${line}\n\n`)))).toEqual(['fault']);
    expect(framer.push(one)).toEqual([]);
  });

  it('stops at a header section without an end, having buffered at most its maximum length', () => {
    const framer = new StreamFramer();
    const chunk = new Uint8Array(1_000).fill(65);
    let chunks = 0;
    while (framer.push(chunk).length === 0) chunks += 1;
    expect(chunks).toBe(32);
  });
});
