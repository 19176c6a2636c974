import { describe, expect, it } from 'vitest';
import { withDescription } from '../../src/message/multipart.ts';
import { parsedRequest, requestText } from '../support/messages.ts';

const sdp = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\n';
const sdpPart = `Content-Type: application/sdp\r\n\r\n${sdp}`;

function taken(parts: readonly string[], type = 'multipart/mixed;boundary="b 1"', boundary = 'b 1') {
  const text = `preamble\r\n${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
  const message = parsedRequest(requestText({ body: { type, text } }));
  const result = withDescription(message);
  return { body: new TextDecoder().decode(result.body), type: result.headers.get('Content-Type'), result, message };
}

describe('withDescription (RFC 5621)', () => {
  it.each([
    ['PIDF', 'Content-Type: application/pidf+xml\r\n\r\n<presence/>'],
    ['ISUP', 'Content-Type: application/ISUP;version=nxv3\r\nContent-Disposition: signal;handling=optional\r\n\r\nx'],
    ['a part without header fields', '\r\nplain text'],
  ])('selects the description beside %s, in either order', (_, other) => {
    for (const parts of [
      [sdpPart, other],
      [other, sdpPart],
    ]) {
      const { body, type, result, message } = taken(parts);
      expect([body, type]).toEqual([sdp, 'application/sdp']);
      expect(result.wholeBody).toBe(message.body);
    }
  });

  it('selects the last alternative, and searches nested parts', () => {
    const alternative = `--a\r\n${sdpPart}1\r\n--a\r\n${sdpPart}2\r\n--a--\r\n`;
    const nested = `Content-Type: multipart/alternative;boundary=a\r\n\r\n${alternative}`;
    expect(taken([nested]).body).toBe(`${sdp}2`);
  });

  it.each([
    [
      'a part that must be understood',
      [sdpPart, 'Content-Type: a/b\r\nContent-Disposition: x; handling=required\r\n\r\n'],
    ],
    ['early-session only', [`Content-Disposition: early-session\r\n${sdpPart}`]],
    ['no description', ['Content-Type: text/plain\r\n\r\nx']],
    ['an encoded description', [`Content-Transfer-Encoding: base64\r\n${sdpPart}`]],
    ['too many parts', [...Array.from({ length: 10 }, () => 'Content-Type: a/b\r\n\r\n'), sdpPart]],
  ])('leaves a body with %s unchanged', (_, parts) => {
    const { result, message } = taken(parts);
    expect(result).toBe(message);
  });

  it.each(['multipart/mixed', 'multipart/mixed;boundary=other', 'multipart/mixed;boundary='])(
    'leaves a body of the type "%s", without a usable boundary, unchanged',
    (type) => {
      const { result, message } = taken([sdpPart], type);
      expect(result).toBe(message);
    },
  );

  it('leaves a body without its closing boundary unchanged', () => {
    const body = { type: 'multipart/mixed;boundary=b', text: `--b\r\n${sdpPart}` };
    const message = parsedRequest(requestText({ body }));
    expect(withDescription(message)).toBe(message);
  });
});
