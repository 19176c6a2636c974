import { describe, expect, it } from 'vitest';
import { readEnvelope } from '../../src/message/envelope.ts';
import { createResponse } from '../../src/message/response.ts';
import { parsed, parsedRequest, requestText } from '../support/messages.ts';

describe('readEnvelope', () => {
  it('reads the mandatory fields of a request', () => {
    expect(readEnvelope(parsed(requestText()))).toMatchObject({
      callId: 'call-1',
      fromTag: 'ann',
      toTag: '',
      cseq: { number: 1, method: 'INVITE' },
      via: { transport: 'UDP', host: '127.0.0.1', port: 5099 },
    });
  });

  it('accepts white space where the grammar does', () => {
    const text = requestText({ via: 'Via: SIP / 2.0 / UDP  [::1]:5060 ; branch = z9hG4bKx' });
    const envelope = readEnvelope(parsed(text.replace('Max-Forwards: 70', 'Max-Forwards: 0070')));
    expect(envelope).toMatchObject({ via: { transport: 'UDP', host: '[::1]', port: 5060 } });
  });

  it.each([
    ['Via', /Via: .*\r\n/, ''],
    ['Via', /Via: /, 'Via: ;, '],
    ['From', /From: .*/, 'From: "Ann <sip:a@b>'],
    ['To', /To: .*/, 'To: <sip:a@b'],
    ['Call-ID', /Call-ID: .*\r\n/, ''],
    ['CSeq', /CSeq: 1/, 'CSeq: 9999999999'],
    ['CSeq Method', /CSeq: 1 INVITE/, 'CSeq: 1 BYE'],
    ['Max-Forwards', /Max-Forwards: 70/, 'Max-Forwards: 300'],
    ['Repeated To', /To: /, 'To: <sip:c@d>\r\nTo: '],
  ])('reports a missing or malformed field: %s', (name, pattern, replacement) => {
    expect(readEnvelope(parsed(requestText().replace(pattern, replacement)))).toContain(name);
  });
});

describe('createResponse', () => {
  it('copies the fields that match it to its request, and adds a To tag once', () => {
    const request = parsedRequest(requestText({ headers: ['Via: SIP/2.0/UDP second'] }));
    const response = createResponse(request, 486, { toTag: 'me' });
    expect(response.headers.all('Via')).toHaveLength(2);
    expect(response.headers.get('To')).toBe('<sip:+31201234567@127.0.0.1>;tag=me');
    const tagged = createResponse(parsedRequest(requestText({ toTag: 'old' })), 200, { toTag: 'me' });
    expect(tagged.headers.get('To')).toMatch(/;tag=old$/);
    expect(response.reason).toBe('Busy Here');
  });
});
