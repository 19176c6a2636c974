import type { Principal } from '@va/core';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { InFlight } from '../../src/limits/in-flight.ts';
import { streamLimits } from '../../src/limits/open-streams.ts';
import {
  describeLimit,
  nearer,
  type RateLimitOptions,
  RateLimits,
  refuseExceeded,
} from '../../src/limits/rate-limits.ts';

function limitsOf(options: RateLimitOptions = {}): RateLimits {
  return new RateLimits(new VirtualClock(), options);
}

function callerOf(changes: Partial<Principal> = {}): Principal {
  return { orgId: 'acme', scopes: ['*'], keyId: 'key', ...changes };
}

describe('RateLimits.takeRequest', () => {
  it.each([
    [{}, 100],
    [{ requestsPerMinute: 5 }, 5],
    [{ requestsPerMinute: 0, requestsPerMinutePerOrganization: 7 }, 7],
  ])('with the options %j allows %i requests of a key', (options, limit) => {
    expect(limitsOf(options).takeRequest(callerOf())).toMatchObject({ limit, remaining: limit - 1 });
  });

  it('limits nothing with 0', () => {
    expect(limitsOf({ requestsPerMinute: 0 }).takeRequest(callerOf())).toBeNull();
  });

  it('limits all keys of an organization to six times the limit of one', () => {
    const limits = limitsOf({ requestsPerMinute: 2 });
    const taken = Array.from({ length: 13 }, (_, n) => limits.takeRequest(callerOf({ keyId: `key ${n}` })));
    expect(taken.map((status) => status?.isExceeded)).toEqual([...Array.from({ length: 12 }, () => false), true]);
    expect(limits.takeRequest(callerOf({ orgId: 'other', keyId: 'x' }))).toMatchObject({ isExceeded: false });
  });

  it('does not count a request for the organization that its key refuses', () => {
    const limits = limitsOf({ requestsPerMinute: 1, requestsPerMinutePerOrganization: 2 });
    for (let n = 0; n < 5; n += 1) limits.takeRequest(callerOf());
    expect(limits.takeRequest(callerOf({ keyId: 'other' }))).toMatchObject({ isExceeded: false });
  });

  it('counts subjects within their organization if the host has no keys', () => {
    const limits = limitsOf({ requestsPerMinute: 1 });
    const take = (orgId: string, subject: string) => limits.takeRequest(callerOf({ orgId, keyId: null, subject }));
    const taken = [take('acme', 'ann'), take('acme', 'bob'), take('other', 'ann'), take('acme', 'ann')];
    expect(taken.map((status) => status?.isExceeded)).toEqual([false, false, false, true]);
  });
});

describe('RateLimits.take', () => {
  it.each([
    ['control', 10],
    ['description', 600],
    ['toolTrial', 30],
    ['voiceSample', 20],
  ] as const)('limits %s to %i a minute by default', (name, limit) => {
    expect(limitsOf().take('acme', { name, key: 'a' })).toMatchObject({ limit });
  });

  it('counts each key, within its organization', () => {
    const limits = limitsOf({ controlPerMinute: 1 });
    const take = (orgId: string, key: string) => limits.take(orgId, { name: 'control', key })?.isExceeded;
    expect([take('acme', 'a'), take('acme', 'b'), take('other', 'a'), take('acme', 'a')]).toEqual([
      ...[false, false, false],
      true,
    ]);
  });
});

describe('nearer', () => {
  const status = (remaining: number, isExceeded = false) => ({
    ...{ limit: 10, remaining, resetSeconds: 60, retryAfterSeconds: 5 },
    isExceeded,
  });

  it.each([
    ['the one with fewer requests left', status(3), status(2), 2],
    ['the first of two equal ones', status(3), { ...status(3), limit: 99 }, 3],
    ['an exceeded one', status(0), status(0, true), 0],
    ['the only one', null, status(4), 4],
    ['the other only one', status(4), null, 4],
  ])('returns %s', (_name, a, b, remaining) => {
    const found = nearer(a, b);
    expect(found?.remaining).toBe(remaining);
    expect(found?.isExceeded).toBe(a?.isExceeded === true || b?.isExceeded === true);
    expect(found?.limit).toBe(10);
  });

  it('is null without limits', () => {
    expect(nearer(null, null)).toBeNull();
  });
});

describe('refuseExceeded', () => {
  const status = { limit: 10, remaining: 0, resetSeconds: 60, retryAfterSeconds: 5, isExceeded: true };

  it('refuses a request beyond the limit, with the time to wait', () => {
    const refusal = { status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '5' } };
    expect(() => refuseExceeded(status)).toThrow(expect.objectContaining(refusal));
  });

  it.each([null, { ...status, isExceeded: false }])('accepts the status %j', (each) => {
    expect(() => refuseExceeded(each)).not.toThrow();
  });

  it('describeLimit shows the limit in the headers', () => {
    const headers: Record<string, string> = {};
    describeLimit(headers, status);
    expect(headers).toEqual({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' });
  });
});

describe('streamLimits', () => {
  it.each([
    [undefined, { perKey: 20, perOrganization: 100 }],
    [{ streamsPerKey: 0 }, { perKey: 0, perOrganization: 100 }],
    [{ streamsPerOrganization: 3 }, { perKey: 20, perOrganization: 3 }],
  ])('of the options %j are %j', (options, expected) => {
    expect(streamLimits(options)).toEqual(expected);
  });
});

describe('InFlight', () => {
  it('is idle without requests', async () => {
    await expect(new InFlight().idle()).resolves.toBeUndefined();
  });

  it('resolves every wait once the last request has ended', async () => {
    const inFlight = new InFlight();
    const events: string[] = [];
    inFlight.begin();
    inFlight.begin();
    const waiting = [1, 2].map((n) => inFlight.idle().then(() => events.push(`idle ${n}`)));
    inFlight.end();
    await Promise.resolve();
    events.push('one left');
    inFlight.end();
    await Promise.all(waiting);
    expect(events).toEqual(['one left', 'idle 1', 'idle 2']);
  });
});
