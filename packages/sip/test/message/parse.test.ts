import { describe, expect, it } from 'vitest';
import { readEnvelope } from '../../src/message/envelope.ts';
import { parseMessage } from '../../src/message/parse.ts';
import { serializeMessage } from '../../src/message/serialize.ts';
import { examinedLength } from '../support/examined-length.ts';
import { parsed, parsedRequest, parsedResponse, requestText, wire } from '../support/messages.ts';

function faultOf(text: string): string {
  const result = parseMessage(wire(text));
  return result.ok ? 'none' : `${result.fault.status} ${result.fault.code}`;
}

describe('parseMessage', () => {
  it('reads a request with its headers and body', () => {
    const request = parsedRequest(requestText({ sdp: 'v=0\n' }));
    expect(request.method).toBe('INVITE');
    expect(request.uri).toBe('sip:+31201234567@127.0.0.1');
    expect(request.headers.get('call-id')).toBe('call-1');
    expect(new TextDecoder().decode(request.body)).toBe('v=0\r\n');
  });

  it('reads a response, also without a reason phrase', () => {
    expect(parsedResponse('SIP/2.0 180 Es läutet\nl: 0\n\n')).toMatchObject({ status: 180, reason: 'Es läutet' });
    expect(parsedResponse('SIP/2.0 100 \nl: 0\n\n')).toMatchObject({ status: 100, reason: '' });
  });

  it('supports compact names, and unfolds lines', () => {
    const { headers } = parsed('OPTIONS sip:a@b SIP/2.0\nv: SIP/2.0/UDP a\ns: one\n  two\n\tthree\n\n');
    expect(headers.get('Via')).toBe('SIP/2.0/UDP a');
    expect(headers.get('Subject')).toBe('one two three');
  });

  it('splits comma-separated lists over several fields, but not within quotes or brackets', () => {
    const { headers } = parsed('OPTIONS sip:a@b SIP/2.0\nm: "a, b" <sip:x,y@z>, <sip:c@d>\nContact: <sip:e@f>\n\n');
    expect(headers.list('Contact')).toEqual(['"a, b" <sip:x,y@z>', '<sip:c@d>', '<sip:e@f>']);
  });

  it('skips keep-alive line ends before a message, and ignores bytes after the body', () => {
    const request = parsedRequest(`\n\n${requestText({ sdp: 'v=0\n' })}and more`);
    expect(new TextDecoder().decode(request.body)).toBe('v=0\r\n');
  });

  it('takes the rest of a datagram as body when Content-Length is missing', () => {
    expect(parsed('MESSAGE sip:a@b SIP/2.0\nTo: x\n\nhello').body).toHaveLength(5);
  });

  it.each([
    ['an empty datagram', '', '400 incomplete'],
    ['a header section without end', 'INVITE sip:a@b SIP/2.0\nTo: x\n', '400 incomplete'],
    ['HTTP', 'GET / HTTP/1.1\nHost: a\n\n', '400 start_line'],
    ['two spaces in the request line', 'INVITE  sip:a@b SIP/2.0\n\n', '400 start_line'],
    ['a space in the Request-URI', 'INVITE sip:a@b; x SIP/2.0\n\n', '400 start_line'],
    ['another version', 'INVITE sip:a@b SIP/3.0\n\n', '505 version'],
    ['a status of four digits', 'SIP/2.0 2000 OK\n\n', '400 start_line'],
    ['a status that does not exist', 'SIP/2.0 099 OK\n\n', '400 start_line'],
    ['a line without a colon', 'INVITE sip:a@b SIP/2.0\nTo\n\n', '400 header'],
    ['a name with a space', 'INVITE sip:a@b SIP/2.0\nT o: x\n\n', '400 header'],
    ['a fold before any header', 'INVITE sip:a@b SIP/2.0\n x\n\n', '400 header'],
    ['a negative Content-Length', 'INVITE sip:a@b SIP/2.0\nContent-Length: -1\n\n', '400 content_length'],
    ['two different Content-Lengths', 'INVITE sip:a@b SIP/2.0\nl: 0\nl: 1\n\nx', '400 content_length'],
    ['a body that is cut off', 'INVITE sip:a@b SIP/2.0\nl: 9\n\nx', '400 content_length'],
    ['too many headers', `INVITE sip:a@b SIP/2.0\n${'A: b\n'.repeat(300)}\n`, '400 too_large'],
    ['too long a header section', `INVITE sip:a@b SIP/2.0\nA: ${'b'.repeat(40_000)}\n\n`, '400 too_large'],
  ])('rejects %s', (_, text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it('keeps the readable part of a damaged request, so that it can be answered', () => {
    const result = parseMessage(wire('INVITE sip:a@b SIP/2.0\nVia: v\nl: 9\n\nx'));
    expect(result.ok ? null : result.request?.headers.get('Via')).toBe('v');
  });

  it.each([
    ['lines of quotes and brackets', (count: number) => 'X: <<<<""",,,;;;\r\n'.repeat(count)],
    ['folds', (count: number) => ' folded\r\n'.repeat(count)],
    ['white space', (count: number) => `X:${' '.repeat(60 * count)}\r\n`],
    ['commas', (count: number) => `v: ${','.repeat(60 * count)}\r\n`],
    ['parameters', (count: number) => `m: <sip:a@b>${';x'.repeat(30 * count)}\r\n`],
    ['backslashes', (count: number) => `f: "${'\\\\'.repeat(30 * count)}\r\n`],
  ])('examines each byte of many %s a bounded number of times', (_, linesOf) => {
    const start = 'INVITE sip:a@b SIP/2.0\r\nTo: x\r\n';
    const [few = 0, many = 0] = [30, 240].map((count) => {
      const bytes = wire(`${start}${linesOf(count)}\r\n`);
      const examined = examinedLength(() => {
        const result = parseMessage(bytes);
        if (result.ok) readEnvelope(result.message);
      });
      return examined / bytes.length;
    });
    expect(few).toBeGreaterThan(1);
    // With eight times the size, quadratic parsing would examine each byte eight times as often.
    expect(many).toBeLessThan(1.5 * few);
  });
});

describe('serializeMessage', () => {
  it('returns what was parsed, with the length of the body', () => {
    const request = parsedRequest(requestText({ sdp: 'v=0\n' }));
    const again = parseMessage(serializeMessage(request));
    expect(again).toMatchObject({ ok: true, message: { method: 'INVITE', uri: request.uri, body: request.body } });
    expect([...request.headers.entries()].sort()).toEqual(
      again.ok ? [...again.message.headers.entries()].sort() : 'a fault',
    );
  });

  it('prevents outside text from starting a new line', () => {
    const request = parsedRequest(requestText());
    request.headers.add('Subject', 'hello\r\nEvil: yes');
    const again = parseMessage(serializeMessage(request));
    expect(again.ok && again.message.headers.get('Evil')).toBeUndefined();
  });
});
