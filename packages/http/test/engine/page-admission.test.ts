import type { PublishableKey } from '@va/core';
import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import type { Exchange } from '../../src/engine/exchange.ts';
import { PageAdmission } from '../../src/engine/page-admission.ts';
import { TrustedProxies } from '../../src/limits/trusted-proxies.ts';

const origin = 'https://www.example.com';
const route = { admitsPages: true };

function keyOf(limits: Partial<PublishableKey>): PublishableKey {
  const unlimited = {
    calls_per_minute: 1e9,
    calls_per_minute_per_address: 1e9,
    minutes_per_day: 1,
    max_call_seconds: 60,
  };
  const times = { expires_at: null, revoked_at: null, created_at: '', updated_at: '' };
  return {
    id: 'k',
    org_id: 'o',
    name: 'Site',
    key: 'va_pk_',
    agents: [],
    origins: [origin],
    variables: [],
    ...unlimited,
    ...times,
    ...limits,
  };
}

function exchangeFrom(remoteAddress: string | null): Exchange {
  const header = (name: string) => (name === 'origin' ? origin : null);
  return { request: { remoteAddress, header }, rate: null, pageOrigin: null } as unknown as Exchange;
}

function admission() {
  const clock = new VirtualClock();
  const pages = new PageAdmission(clock, new TrustedProxies());
  return {
    clock,
    admits(key: PublishableKey, address: string | null): boolean {
      try {
        pages.admit(key, route, exchangeFrom(address));
        return true;
      } catch {
        return false;
      }
    },
  };
}

it('page admission › applies only the limit of the key where the address is unknown', () => {
  const { admits } = admission();
  const key = keyOf({ calls_per_minute: 3, calls_per_minute_per_address: 1 });
  expect([1, 2, 3, 4].map(() => admits(key, null))).toEqual([true, true, true, false]);
});

it('page admission › counts a bounded number of addresses', () => {
  const { admits } = admission();
  const key = keyOf({ calls_per_minute_per_address: 1 });
  for (let n = 0; n < 20_000; n += 1) admits(key, `10.0.${n >> 8}.${n & 255}`);
  expect([admits(key, '10.0.0.0'), admits(key, '192.0.2.1'), admits(key, '192.0.2.1')]).toEqual([false, true, true]);
});

it('page admission › limits every address again in the next minute', async () => {
  const { admits, clock } = admission();
  const key = keyOf({ calls_per_minute_per_address: 1 });
  for (let n = 0; n < 20_000; n += 1) admits(key, `10.0.${n >> 8}.${n & 255}`);
  await clock.advance(60_000);
  expect([admits(key, '192.0.2.1'), admits(key, '192.0.2.1')]).toEqual([true, false]);
});
