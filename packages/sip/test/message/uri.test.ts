import { describe, expect, it } from 'vitest';
import { parseNameAddr } from '../../src/message/name-addr.ts';
import { decodeUser, parseUri } from '../../src/message/uri.ts';
import { toParty } from '../../src/party.ts';

describe('parseUri', () => {
  it.each([
    ['sip:alice@example.com', { user: 'alice', host: 'example.com', port: null }],
    ['sip:example.com:5070', { user: null, host: 'example.com', port: 5070 }],
    [
      'SIPS:alice:secret@[2001:db8::1]:5061',
      { scheme: 'sips', user: 'alice:secret', host: '[2001:db8::1]', port: 5061 },
    ],
    ['sip:user;par=u%40example.net@example.com', { user: 'user;par=u%40example.net', host: 'example.com' }],
    ['tel:+31-20-1234567;ext=5', { scheme: 'tel', user: '+31-20-1234567', host: '' }],
  ])('reads %s', (text, expected) => {
    expect(parseUri(text)).toMatchObject(expected);
  });

  it('separates parameters and headers', () => {
    const uri = parseUri('sip:a@b;transport=TCP;lr?Subject=x');
    expect([...(uri?.params ?? [])]).toEqual([
      ['transport', 'TCP'],
      ['lr', ''],
    ]);
    expect(uri?.headers).toBe('Subject=x');
  });

  it.each([
    'sip:',
    'sip:a@',
    'sip:a@b:99999',
    'sip:a@b:x',
    'sip:2001:db8::1',
    '<sip:a@b>',
    'http://a',
    'tel:',
    'sip:a b@c',
  ])('rejects %s', (text) => {
    expect(parseUri(text)).toBeNull();
  });

  it('decodes escapes of the user, and leaves broken ones unchanged', () => {
    const decoded = (text: string) =>
      decodeUser(parseUri(text) ?? { scheme: 'sip', user: '?', host: '', port: null, params: new Map(), headers: '' });
    expect(decoded('sip:%2B31%2020:pw@x')).toBe('+31 20');
    expect(decoded('sip:%zz@x')).toBe('%zz');
  });
});

describe('parseNameAddr', () => {
  it.each([
    ['"Ann \\"A\\" <x>" <sip:a@b;p=1>;tag=t', 'Ann "A" <x>', 'sip:a@b;p=1', 't'],
    ['Ann Bee <sip:a@b>;tag=t', 'Ann Bee', 'sip:a@b', 't'],
    ['sip:a@b;tag=t', null, 'sip:a@b', 't'],
    ['<isbn:123> ; TAG = t', null, 'isbn:123', 't'],
  ])('reads %s', (text, displayName, uri, tag) => {
    const address = parseNameAddr(text);
    expect(address).toMatchObject({ displayName, uri });
    expect(address?.params.get('tag')).toBe(tag);
  });

  it.each(['', '"Ann <sip:a@b>', '<sip:a@b', 'Ann, Bee <sip:a@b>', '<sip:a b@c>', '<>', 'sip:a@b;=x'])(
    'rejects %s',
    (text) => {
      expect(parseNameAddr(text)).toBeNull();
    },
  );
});

describe('toParty', () => {
  it.each([
    ['<sip:+31201234567@x>', '+31201234567'],
    ['<sip:+31-20-123.45(67)@x;user=phone>', '+31201234567'],
    ['<tel:+31-20-1234567>', '+31201234567'],
    ['<sip:%2B31201234567@x>', '+31201234567'],
    ['<sip:0031201234567@x>', '0031201234567'],
    ['<sip:alice-b@x>', 'alice-b'],
    ['<sip:x>', ''],
  ])('finds in %s the number %s', (text, number) => {
    const address = parseNameAddr(text);
    expect(address && toParty(address).number).toBe(number);
  });
});
