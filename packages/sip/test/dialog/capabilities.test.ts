import { describe, expect, it } from 'vitest';
import { describeCapabilities, rejectMethod, screenRequest } from '../../src/dialog/capabilities.ts';
import { contactFor, isSips } from '../../src/dialog/contact.ts';
import { allows, requires, supports } from '../../src/dialog/supported.ts';
import { fakeFlow } from '../support/fake-flow.ts';
import { offerText, parsedRequest, type RequestParts, requestText } from '../support/messages.ts';

const request = (parts: RequestParts) => parsedRequest(requestText(parts));

describe('screenRequest (RFC 3261 §8.2)', () => {
  it.each<[string, RequestParts, number, string, string]>([
    ['another scheme', { uri: 'http://a.example' }, 416, 'Unsupported', ''],
    ['a malformed URI', { uri: 'sip:a@b@c:x' }, 400, 'Unsupported', ''],
    ['header fields in the URI', { uri: 'sip:a@b?Subject=x' }, 400, 'Unsupported', ''],
    ['unsupported extensions', { headers: ['Require: timer, x', 'Require: y'] }, 420, 'Unsupported', 'x, y'],
    ['an encoded body', { headers: ['Content-Encoding: gzip'], sdp: offerText }, 415, 'Accept-Encoding', 'identity'],
    ['another media type', { body: { type: 'text/plain', text: 'x' } }, 415, 'Accept', 'application/sdp'],
    ['no acceptable response', { headers: ['Accept: text/plain'] }, 406, 'Unsupported', ''],
  ])('rejects %s', (_, parts, status, field, value) => {
    const refusal = screenRequest(request(parts), 'me');
    expect(refusal?.status).toBe(status);
    expect(refusal?.headers.get(field) ?? '').toBe(value);
    expect(refusal?.headers.get('To')).toMatch(/;tag=me$/);
  });

  it.each<[string, RequestParts]>([
    ['an offer', { sdp: offerText }],
    ['a type with parameters', { body: { type: 'Application/SDP;charset=utf-8', text: offerText } }],
    ['an identity encoding', { headers: ['Content-Encoding: Identity'], sdp: offerText }],
    ['a wildcard in Accept', { headers: ['Accept: text/plain, */*;q=0.1'] }],
    ['supported extensions', { headers: ['Require: 100REL, timer, replaces, norefersub'] }],
    ['another media type in an INFO', { method: 'INFO', body: { type: 'application/dtmf', text: '5' } }],
    ['a tel URI', { uri: 'tel:+31201234567' }],
  ])('accepts %s', (_, parts) => {
    expect(screenRequest(request(parts), 'me')).toBeNull();
  });
});

describe('rejectMethod', () => {
  it.each([
    ['MESSAGE', 405],
    ['REGISTER', 405],
    ['SUBSCRIBE', 489],
    ['DANCE', 501],
    ['invite', 501],
  ])('rejects %s with %i and the allowed methods', (method, status) => {
    const response = rejectMethod(request({ method }), 'me');
    expect(response.status).toBe(status);
    expect(response.headers.list('Allow')).toContain('INVITE');
  });
});

it('response to OPTIONS lists methods, extensions and types (RFC 3261 §11.2)', () => {
  const { status, headers } = describeCapabilities(request({ method: 'OPTIONS' }), 'me');
  expect(status).toBe(200);
  expect(headers.list('Supported')).toEqual(['100rel', 'timer', 'replaces', 'norefersub']);
  expect([headers.get('Accept'), headers.get('Accept-Encoding')]).toEqual(['application/sdp', 'identity']);
  expect(headers.list('Allow')).toContain('REFER');
});

describe('extensions of a peer', () => {
  it.each([
    ['Supported: timer', true, false],
    ['k: TIMER, x', true, false],
    ['Require: timer', true, true],
    ['Supported: timers', false, false],
  ])('are read from %s', (header, isSupported, isRequired) => {
    const message = request({ headers: [header] });
    expect([supports(message, 'timer'), requires(message, 'timer')]).toEqual([isSupported, isRequired]);
  });

  it.each([
    [['Allow: INVITE, UPDATE'], true],
    [['Allow: INVITE', 'Allow: UPDATE'], true],
    [['Allow: INVITE'], false],
    [[], null],
  ])('with %j allow UPDATE: %s', (headers, expected) => {
    expect(allows(request({ headers }), 'UPDATE')).toBe(expected);
  });
});

describe('local Contact', () => {
  it.each([
    ['over UDP', fakeFlow(), false, '<sip:127.0.0.1:5060>'],
    ['over TCP', fakeFlow(true), false, '<sip:127.0.0.1:5060;transport=tcp>'],
    ['as a SIPS URI', fakeFlow(true), true, '<sips:127.0.0.1:5060>'],
    [
      'with an IPv6 address',
      { ...fakeFlow(), advertised: { address: '2001:db8::1', port: 5_070 } },
      false,
      '<sip:[2001:db8::1]:5070>',
    ],
  ])('is written %s', (_, flow, isSecure, expected) => {
    expect(contactFor(flow, isSecure)).toBe(expected);
  });

  it.each([
    ['sips:a@b', true],
    ['SIPS:a@b', true],
    ['sip:a@b', false],
    [undefined, false],
  ])('is secure for %s: %s', (uri, expected) => {
    expect(isSips(uri)).toBe(expected);
  });
});
