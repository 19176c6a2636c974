import { describe, expect, it } from 'vitest';
import { dialLimits } from '../../../src/campaigns/dialing/dial-limits.ts';
import type { CampaignRecord } from '../../../src/domain/campaigns/campaign.ts';
import { countDelta, countsAfter } from '../../../src/leads/lead-counts.ts';
import { leadVariables } from '../../../src/leads/lead-variables.ts';
import { untyped } from '../../support/untyped.ts';

const nowMs = 1_000_000;
const idleMs = 60_000;

function limitsOf(campaign: Partial<CampaignRecord>) {
  const defaults = { max_concurrent_calls: 5, calling_leads: 0, calls_per_minute: null, paced_until_ms: null };
  return dialLimits(untyped({ ...defaults, ...campaign }), nowMs);
}

describe('dialLimits', () => {
  it.each([
    ['all of its concurrent calls', {}, 5],
    ['those that are not in progress', { calling_leads: 3 }, 2],
    ['none beyond its limit', { calling_leads: 7 }, 0],
    ['those of its pace, if that is less', { calls_per_minute: 120 }, 2],
    ['none until its pace allows it', { calls_per_minute: 6, paced_until_ms: nowMs + 1 }, 0],
  ])('allows %s', (_case, campaign, calls) => {
    expect(limitsOf(campaign).calls).toBe(calls);
  });

  it('allows the next dial at once while calls are free', () => {
    expect(limitsOf({}).nextAtMs(4)).toBe(nowMs);
  });

  it('waits for the end of a call when none is free', () => {
    expect(limitsOf({}).nextAtMs(5)).toBe(nowMs + idleMs);
    expect(limitsOf({ calls_per_minute: 6, calling_leads: 5 }).nextAtMs(0)).toBe(nowMs + idleMs);
  });

  it('waits for its pace after the dialed calls', () => {
    const limits = limitsOf({ calls_per_minute: 6 });
    expect([limits.nextAtMs(0), limits.nextAtMs(1), limits.nextAtMs(2)]).toEqual([
      nowMs,
      nowMs + 10_000,
      nowMs + 20_000,
    ]);
  });
});

describe('countDelta', () => {
  it.each([
    ['moved', 'pending', 'calling', { pending_leads: -3, calling_leads: 3 }],
    ['added', null, 'pending', { total_leads: 3, pending_leads: 3 }],
    ['deleted', 'failed', null, { failed_leads: -3, total_leads: -3 }],
    ['left as they are', 'pending', 'pending', {}],
  ] as const)('returns the changes for leads that are %s', (_case, from, to, delta) => {
    expect(countDelta(3, from, to)).toEqual(delta);
  });
});

describe('countsAfter', () => {
  const campaign: CampaignRecord = untyped({
    total_leads: 10,
    pending_leads: 4,
    calling_leads: 2,
    completed_leads: 4,
    failed_leads: 0,
    skipped_leads: 0,
    name: 'Spring',
  });

  it('adds up the changes, and returns the counts that differ', () => {
    const deltas = [
      countDelta(2, 'pending', 'calling'),
      countDelta(1, 'calling', 'skipped'),
      countDelta(1, null, 'pending'),
    ];
    expect(countsAfter(campaign, deltas)).toEqual({
      total_leads: 11,
      pending_leads: 3,
      calling_leads: 3,
      skipped_leads: 1,
    });
  });

  it('returns nothing for changes that cancel each other out', () => {
    const deltas = [countDelta(1, 'pending', 'calling'), countDelta(1, 'calling', 'pending')];
    expect(countsAfter(campaign, deltas)).toEqual({});
  });
});

describe('leadVariables', () => {
  const variables = (lead: object): unknown => leadVariables(untyped({ phone_number: '+31612345678', ...lead }));

  it('are those of the lead with its name and number, which come last', () => {
    expect(variables({ name: 'Ann', variables: { city: 'Utrecht', name: 'A.', phone_number: '1' } })).toEqual({
      city: 'Utrecht',
      name: 'Ann',
      phone_number: '+31612345678',
    });
  });

  it('leave out empty texts, and keep other empty values', () => {
    const values = { blank: ' ', empty: '', none: null, zero: 0, no: false };
    expect(variables({ name: '', variables: values })).toEqual({
      none: null,
      zero: 0,
      no: false,
      phone_number: '+31612345678',
    });
  });

  it('keep the variable name of a lead without a name', () => {
    expect(variables({ name: null, variables: { name: 'A.' } })).toMatchObject({ name: 'A.' });
  });
});
