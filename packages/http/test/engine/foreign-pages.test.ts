import type { Principal, PublishableKey } from '@va/core';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { Cors } from '../../src/engine/cors.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { refuseForgery } from '../../src/engine/forgery.ts';
import { PageAdmission, refuseForeignPage } from '../../src/engine/page-admission.ts';
import { TrustedProxies } from '../../src/limits/trusted-proxies.ts';
import { requestOf } from '../support/request.ts';

type Headers = Readonly<Record<string, string>>;
const refused = expect.objectContaining({ status: 403, code: 'forbidden' });

describe('refuseForgery', () => {
  const session: Principal = { orgId: 'acme', scopes: ['*'], keyId: null };

  it.each<[string, string, Headers]>([
    ['a change by the page of the service', 'POST', { 'sec-fetch-site': 'same-origin' }],
    ['a change by the address bar', 'POST', { 'sec-fetch-site': 'none' }],
    [
      'a change by an older browser on the own page',
      'PATCH',
      { origin: 'https://voice.example', host: 'voice.example' },
    ],
    ['a change by a program', 'DELETE', {}],
    ['a read by any page', 'GET', { 'sec-fetch-site': 'cross-site' }],
    ['a HEAD by any page', 'HEAD', { 'sec-fetch-site': 'cross-site' }],
    ['a change with a header that pages cannot add', 'POST', { 'sec-fetch-site': 'cross-site', authorization: 'x' }],
  ])('accepts %s', (_name, method, headers) => {
    expect(() => refuseForgery(requestOf({ method, headers }), session)).not.toThrow();
  });

  it.each<[string, string, Headers]>([
    ['another site', 'POST', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the site', 'PUT', { 'sec-fetch-site': 'same-site' }],
    ['another origin in an older browser', 'POST', { origin: 'https://evil.example', host: 'voice.example' }],
    ['another port', 'POST', { origin: 'https://voice.example:8443', host: 'voice.example' }],
    ['an opaque origin', 'DELETE', { origin: 'null', host: 'voice.example' }],
    [
      'another site, whatever its Origin says',
      'POST',
      { 'sec-fetch-site': 'cross-site', origin: 'https://v', host: 'v' },
    ],
  ])('refuses a change by a page of %s', (_name, method, headers) => {
    expect(() => refuseForgery(requestOf({ method, headers }), session)).toThrow(refused);
  });

  it('accepts a request with a key, which no browser adds by itself', () => {
    const request = requestOf({ method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } });
    expect(() => refuseForgery(request, { ...session, keyId: 'key' })).not.toThrow();
  });
});

describe('refuseForeignPage', () => {
  const cors = new Cors({ origins: ['https://app.example'] }, silentLogger);
  const foreign = { 'sec-fetch-site': 'cross-site' };

  it.each<[string, boolean, Headers, Cors | null]>([
    ['a route that pages do not call', false, foreign, null],
    ['a program', true, {}, null],
    ['the own page', true, { 'sec-fetch-site': 'same-origin' }, null],
    ['a page that CORS allows', true, { ...foreign, origin: 'https://app.example' }, cors],
  ])('accepts %s', (_name, admitsPages, headers, allowed) => {
    expect(() => refuseForeignPage({ admitsPages }, requestOf({ headers }), allowed)).not.toThrow();
  });

  it.each<[string, Headers, Cors | null]>([
    ['without CORS', { ...foreign, origin: 'https://app.example' }, null],
    ['that CORS does not allow', { ...foreign, origin: 'https://evil.example' }, cors],
    ['without an origin', foreign, cors],
  ])('refuses a page of another origin %s', (_name, headers, allowed) => {
    expect(() => refuseForeignPage({ admitsPages: true }, requestOf({ headers }), allowed)).toThrow(refused);
  });
});

describe('PageAdmission', () => {
  const origin = 'https://www.example.com';
  const key = {
    ...{ id: 'k', org_id: 'o', origins: [origin], calls_per_minute: 5, calls_per_minute_per_address: 2 },
  } as unknown as PublishableKey;

  function setUp() {
    const clock = new VirtualClock();
    const pages = new PageAdmission(clock, new TrustedProxies(['10.0.0.0/8']));
    const admit = (headers: Headers, remoteAddress: string | null = '203.0.113.7', admitsPages = true) => {
      const request = { ...requestOf({ method: 'POST', headers }), remoteAddress };
      const exchange = { request, rate: null, pageOrigin: null } as unknown as Exchange;
      pages.admit(key, { admitsPages }, exchange);
      return exchange;
    };
    return { clock, admit };
  }

  it('lets the page read the response, which reports the limit with fewer requests left', () => {
    const { admit } = setUp();
    const { pageOrigin, rate } = admit({ origin });
    expect(pageOrigin).toBe(origin);
    expect(rate).toMatchObject({ limit: 2, remaining: 1 });
  });

  it.each<[string, Headers]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin', {}],
    ['an origin that only begins alike', { origin: `${origin}.evil.example` }],
  ])('refuses a page with %s', (_name, headers) => {
    expect(() => setUp().admit(headers)).toThrow(refused);
  });

  it('refuses every other route', () => {
    expect(() => setUp().admit({ origin }, '203.0.113.7', false)).toThrow(refused);
  });

  it('limits each address, also behind a trusted proxy, until the next minute', async () => {
    const { clock, admit } = setUp();
    const from = (client: string) => admit({ origin, 'x-forwarded-for': client }, '10.0.0.1');
    from('203.0.113.7');
    from('203.0.113.7');
    expect(() => from('203.0.113.7')).toThrow(expect.objectContaining({ status: 429 }));
    expect(from('203.0.113.8').rate).toMatchObject({ remaining: 1 });
    await clock.advance(60_000);
    expect(from('203.0.113.7').rate).toMatchObject({ remaining: 1 });
  });

  it('counts the addresses of one IPv6 network as one', () => {
    const { admit } = setUp();
    admit({ origin }, '2001:db8:0:1::1');
    admit({ origin }, '2001:db8:0:1::2');
    expect(() => admit({ origin }, '2001:db8:0:1::3')).toThrow(expect.objectContaining({ status: 429 }));
  });

  it('limits the key over all addresses, not counting requests beyond the limit of an address', () => {
    const { admit } = setUp();
    for (let n = 0; n < 20; n += 1) {
      try {
        admit({ origin }, '203.0.113.1');
      } catch {
        // The address is over its limit.
      }
    }
    for (const address of ['203.0.113.2', '203.0.113.3', '203.0.113.4']) admit({ origin }, address);
    expect(() => admit({ origin }, '203.0.113.5')).toThrow(expect.objectContaining({ status: 429 }));
  });
});
