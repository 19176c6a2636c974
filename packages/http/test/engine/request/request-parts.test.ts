import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { readIdempotencyKey, requestFingerprint } from '../../../src/engine/idempotency.ts';
import { acceptsGzip } from '../../../src/engine/request/accept-encoding.ts';
import { fetchSiteOf } from '../../../src/engine/request/fetch-site.ts';
import { readQuery, refuseQuery } from '../../../src/engine/request/query.ts';
import { requestIdOf } from '../../../src/engine/request/request-id.ts';
import { telephonyPath } from '../../../src/telephony/telephony-path.ts';
import { requestOf } from '../../support/request.ts';

describe('acceptsGzip', () => {
  it.each([
    [null, false],
    ['', false],
    ['gzip', true],
    ['x-gzip', true],
    ['GZIP;q=0.1', true],
    ['br, gzip;q=0', false],
    ['*', true],
    ['gzip;q=0, *', false],
    ['*;q=0', false],
    ['br, deflate', false],
  ])('of %j is %j', (header, expected) => {
    expect(acceptsGzip(header)).toBe(expected);
  });
});

describe('fetchSiteOf', () => {
  it.each([
    [undefined, null],
    ['same-origin', 'own'],
    ['none', 'own'],
    ['same-site', 'other'],
    ['cross-site', 'other'],
    ['anything', 'other'],
  ])('of %j is %j', (site, expected) => {
    expect(fetchSiteOf(requestOf({ headers: site === undefined ? {} : { 'sec-fetch-site': site } }))).toBe(expected);
  });
});

describe('readQuery', () => {
  it.each([
    ['', {}],
    ['a=1&b=', { a: '1', b: '' }],
    ['a=x+y%20z%26', { a: 'x y z&' }],
    ['a', { a: '' }],
    ['%E2%82%AC=%', { '€': '%' }],
  ])('parses %j', (search, query) => {
    expect(readQuery(search)).toEqual(query);
  });

  it('refuses a repeated parameter', () => {
    const repeated = { status: 400, code: 'invalid_field', faults: [expect.objectContaining({ path: 'b' })] };
    expect(() => readQuery('a=1&b=1&b=2')).toThrow(expect.objectContaining(repeated));
  });

  it('keeps a parameter named __proto__ a parameter', () => {
    expect(Object.entries(readQuery('__proto__=1'))).toEqual([['__proto__', '1']]);
  });
});

describe('refuseQuery', () => {
  it('accepts no parameters, and names all that it refuses', () => {
    expect(() => refuseQuery({})).not.toThrow();
    const message = 'a: is not a known field; b: is not a known field';
    expect(() => refuseQuery({ a: '1', b: '' })).toThrow(expect.objectContaining({ code: 'unknown_field', message }));
  });
});

describe('requestIdOf', () => {
  const clock = new VirtualClock();

  it.each(['a', 'trace-7:1.2_3', 'x'.repeat(128)])('keeps the id %s', (id) => {
    expect(requestIdOf(id, clock)).toBe(id);
  });

  it.each([null, '', 'a b', 'a\n', 'é', 'x'.repeat(129)])('generates a UUID in place of %j', (id) => {
    expect(requestIdOf(id, clock)).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('generates a different id for every request', () => {
    const ids = Array.from({ length: 2_000 }, () => requestIdOf(null, clock));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('readIdempotencyKey', () => {
  it.each([null, 'k', ' ', '~'.repeat(255)])('accepts %j', (key) => {
    expect(readIdempotencyKey(key)).toBe(key);
  });

  it.each(['', 'é', 'a\tb', '~'.repeat(256)])('refuses %j', (key) => {
    const refusal = { status: 400, faults: [expect.objectContaining({ path: 'Idempotency-Key' })] };
    expect(() => readIdempotencyKey(key)).toThrow(expect.objectContaining(refusal));
  });
});

describe('requestFingerprint', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const holder = { orgId: 'acme', scopes: [], keyId: 'key' };

  it('is equal for the same query, body and holder', () => {
    expect(requestFingerprint('a=1', bytes('{}'), holder)).toBe(requestFingerprint('a=1', bytes('{}'), { ...holder }));
  });

  it('differs by query, body and holder', () => {
    const all = [
      requestFingerprint('', bytes('{}'), null),
      requestFingerprint('a=1', bytes('{}'), null),
      requestFingerprint('', bytes('a=1{}'), null),
      requestFingerprint('', bytes('{ }'), null),
      requestFingerprint('', bytes('{}'), holder),
      requestFingerprint('', bytes('{}'), { ...holder, keyId: 'other' }),
      requestFingerprint('', bytes('{}'), { ...holder, keyId: null, subject: 'key' }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('telephonyPath', () => {
  it.each([
    ['/telephony/twilio/calls', '', { id: 'twilio', path: '/telephony/twilio/calls' }],
    ['/voice/telephony/web', '/voice', { id: 'web', path: '/telephony/web' }],
    ['/telephony/', '', { id: '', path: '/telephony/' }],
    ['/voice/telephony/web', '', null],
    ['/telephony', '', null],
    ['/telephony2/web', '', null],
    ['/voice/telephony/web', '/voic', null],
  ])('of %s below %j is %j', (path, basePath, expected) => {
    expect(telephonyPath(path, basePath)).toEqual(expected);
  });
});
