import type { Call } from '@va/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.ts';
import { storageKinds } from '../support/storages.ts';
import type { Tenant } from '../support/tenant.ts';

const id = (n: number): string => `0190e9a0-7c3b-7aaa-8bbb-c0ffee00000${n}`;

const instants = [
  '2026-01-31T23:59:59.999Z',
  '2026-02-01T00:00:00.000Z',
  '2026-02-01T12:00:00.000Z',
  '2026-02-01T23:59:59.999Z',
  '2026-02-02T00:00:00.000Z',
  '2026-03-29T01:30:00.000Z',
];

const statuses = ['queued', 'connecting', 'in-progress', 'ended', 'failed'] as const;
const directions = ['inbound', 'outbound', 'web'] as const;
const reasons = ['user_hangup', 'no_answer', null] as const;

/** Calls that differ in every filterable field. */
const variants: readonly Partial<Call>[] = instants.flatMap((created_at, n) =>
  statuses.map((status, m) => ({
    created_at,
    status,
    agent_id: m % 2 === 0 ? id(1) : id(2),
    number_id: n % 2 === 0 ? id(3) : null,
    campaign_id: (n + m) % 3 === 0 ? id(4) : null,
    publishable_key_id: (n + m) % 4 === 0 ? id(5) : null,
    direction: directions[(n + m) % 3] ?? 'web',
    end_reason: reasons[(n * m) % 3] ?? null,
    caller_phone: m % 2 === 0 ? '+31612345678' : '+31687654321',
    assistant_phone: n % 2 === 0 ? '+31201234567' : '+31612345678',
    messages: [{ role: 'user', content: n % 3 === 0 ? 'A table for two.' : 'Goodbye!' }],
  })),
);

type Filter = readonly [query: string, matches: (call: Call) => boolean];

const within = (from: string, to: string) => (call: Call) => call.created_at >= from && call.created_at < to;

const filters: readonly Filter[] = [
  ['status=ended', ({ status }) => status === 'ended'],
  ['status=ended,failed', ({ status }) => status === 'ended' || status === 'failed'],
  ['status=queued%2C%20in-progress', ({ status }) => status === 'queued' || status === 'in-progress'],
  [`agent_id=${id(1)}`, ({ agent_id }) => agent_id === id(1)],
  [`agent_id=${id(9)}`, () => false],
  [`number_id=${id(3)}`, ({ number_id }) => number_id === id(3)],
  [`campaign_id=${id(4)}`, ({ campaign_id }) => campaign_id === id(4)],
  [`publishable_key_id=${id(5)}`, ({ publishable_key_id }) => publishable_key_id === id(5)],
  ['direction=web', ({ direction }) => direction === 'web'],
  ['end_reason=no_answer', ({ end_reason }) => end_reason === 'no_answer'],
  [
    'phone=%2B31612345678',
    ({ caller_phone, assistant_phone }) => [caller_phone, assistant_phone].includes('+31612345678'),
  ],
  ['phone=31687654321', ({ caller_phone }) => caller_phone === '+31687654321'],
  ['q=two%20Tab', ({ messages }) => messages[0]?.content === 'A table for two.'],
  ['q=user', () => false],
  ['start_date=2026-02-01', within('2026-02-01T00:00:00.000Z', '9')],
  ['end_date=2026-02-01', within('', '2026-02-02T00:00:00.000Z')],
  ['start_date=2026-02-01&end_date=2026-02-01', within('2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z')],
  ['start_date=2026-02-01T12:00:00Z', within('2026-02-01T12:00:00.000Z', '9')],
  ['end_date=2026-02-01T12:00:00Z', within('', '2026-02-01T12:00:00.000Z')],
  ['end_date=2026-02-01T23:59:59.999Z', within('', '2026-02-01T23:59:59.999Z')],
  ['start_date=2026-03-29T03:30:00%2B02:00', within('2026-03-29T01:30:00.000Z', '9')],
  ['start_date=2026-02-02&end_date=2026-02-01T00:00:00Z', () => false],
];

describe.each(storageKinds)('filters of calls on $name', (kind) => {
  let api: Api;
  let tenant: Tenant;
  const calls: Call[] = [];
  beforeAll(async () => {
    api = await openApi(kind);
    tenant = await api.tenant();
    for (const variant of variants) calls.push(await tenant.addCall(variant));
  });
  afterAll(() => api.close());

  /** Newest first: by time, then by id. */
  function expected(matches: (call: Call) => boolean): string[] {
    const place = (call: Call): string => `${call.created_at} ${call.id}`;
    return calls
      .filter(matches)
      .sort((a, b) => (place(a) < place(b) ? 1 : -1))
      .map((call) => call.id);
  }

  async function expectList(query: string, matches: (call: Call) => boolean): Promise<void> {
    const listed = await tenant.ok('GET', `/calls?${query}`);
    const wanted = expected(matches);
    expect(
      listed.calls.map((call: Call) => call.id),
      query,
    ).toEqual(wanted);
    expect(listed.pagination).toEqual({ total: wanted.length, limit: 100, offset: 0 });
    const page = await tenant.ok('GET', `/calls?${query}&limit=3&offset=2`);
    expect(page.calls.map((call: Call) => call.id)).toEqual(wanted.slice(2, 5));
    expect(page.pagination).toEqual({ total: wanted.length, limit: 3, offset: 2 });
  }

  it.each(filters)('?%s', (query, matches) => expectList(query, matches));

  it('combines any two filters', async () => {
    const nameOf = (query: string): string[] => query.split('&').map((each) => each.split('=')[0] ?? '');
    for (const [n, [query, matches]] of filters.entries()) {
      for (const [other, alsoMatches] of filters.slice(n + 1)) {
        if (nameOf(query).some((name) => nameOf(other).includes(name))) continue;
        await expectList(`${query}&${other}`, (call) => matches(call) && alsoMatches(call));
      }
    }
  });

  it('combines all filters', async () => {
    const start = '2026-02-01T00:00:00.000Z';
    const end = '2026-02-03T00:00:00.000Z';
    const matches = (call: Call): boolean =>
      ['queued', 'in-progress', 'failed'].includes(call.status) &&
      call.direction === 'web' &&
      call.agent_id === id(1) &&
      [call.caller_phone, call.assistant_phone].includes('+31612345678') &&
      within(start, end)(call);
    const query = new URLSearchParams({
      status: 'queued,in-progress,failed',
      direction: 'web',
      agent_id: id(1),
      phone: '+31612345678',
      start_date: '2026-02-01',
      end_date: '2026-02-02',
    });
    expect(expected(matches).length).toBeGreaterThan(1);
    await expectList(query.toString(), matches);
  });

  it.each([
    'status=busy',
    'status=ended,',
    'status=',
    'direction=up',
    'end_reason=tired',
    'agent_id=7',
    'number_id=',
    'campaign_id=x',
    'start_date=yesterday',
    'start_date=2026-02-30',
    'start_date=2026-02-01T00:00:00',
    'start_date=01-02-2026',
    'end_date=2026-13-01',
    'end_date=1769900400',
    'phone=',
  ])('refuses ?%s', async (query) => {
    const reply = await tenant.send('GET', `/calls?${query}`);
    expect([reply.status, reply.body.code, reply.body.param]).toEqual([400, 'invalid_field', query.split('=')[0]]);
  });
});
