// @vitest-environment happy-dom
import type { TrunkHealth } from '@va/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CostTable } from '../../../src/app/ui/values/cost-table.tsx';
import { formatAge } from '../../../src/app/ui/values/format.ts';
import { JsonBlock } from '../../../src/app/ui/values/json-block.tsx';
import { otherParty } from '../../../src/app/ui/values/other-party.ts';
import { TrunkState } from '../../../src/app/ui/values/trunk-state.tsx';
import { Unheard } from '../../../src/app/ui/values/unheard.tsx';
import { sampleNodeHealth } from '../../support/records.ts';
import { show } from '../../support/show.tsx';
import { cellsOf, textOf } from '../../support/user.ts';

const nowMs = Date.UTC(2026, 2, 1, 12);
const ago = (seconds: number): string => new Date(nowMs - seconds * 1_000).toISOString();
const age = (seconds: number): string => formatAge(ago(seconds), nowMs);

beforeEach(() => void vi.useFakeTimers({ now: nowMs }));
afterEach(() => void vi.useRealTimers());

describe('the state of a trunk', () => {
  const shownState = (state: TrunkHealth['state'], ...nodes: TrunkHealth['nodes']): readonly string[] => {
    const { element } = show(<TrunkState health={{ trunk_id: 'trunk-1', state, nodes }} />);
    return [...(element.firstElementChild?.children ?? [])].map(textOf);
  };

  it('has the round trip of the last check', () => {
    const node = sampleNodeHealth({ since: ago(300), checked_at: ago(20), round_trip_ms: 24 });
    expect(shownState('reachable', node)).toEqual([
      `Reachable since ${age(300)}`,
      `Checked ${age(20)}, round trip 24 ms`,
    ]);
  });

  it('has the reason of a failed check', () => {
    const node = sampleNodeHealth({ state: 'unreachable', since: ago(60), checked_at: ago(5), reason: 'timeout' });
    expect(shownState('unreachable', node)).toEqual([`Unreachable since ${age(60)}`, `Checked ${age(5)}, timeout`]);
  });

  it('counts the nodes that do not reach it', () => {
    const up = sampleNodeHealth({ since: ago(300), checked_at: ago(30) });
    const down = sampleNodeHealth({ state: 'unreachable', since: ago(100), checked_at: ago(40), reason: 'refused' });
    const shown = shownState('degraded', up, down);
    expect(shown.slice(0, 2)).toEqual([`Partly reachable since ${age(100)}`, 'Unreachable for 1 of 2 nodes']);
  });

  it('shows the latest check and answered call of all nodes', () => {
    const first = sampleNodeHealth({ checked_at: ago(90), last_answer_at: ago(10), round_trip_ms: 1 });
    const second = sampleNodeHealth({ checked_at: ago(30), last_answer_at: ago(50), round_trip_ms: 2 });
    expect(shownState('reachable', first, second)).toEqual([
      `Reachable since ${formatAge(first.since ?? '', nowMs)}`,
      `Checked ${age(30)}, round trip 2 ms`,
      `Last answered call ${age(10)}`,
    ]);
  });

  it('shows the last webhook and failure of a carrier’s trunk', () => {
    const node = sampleNodeHealth({
      checked_at: null,
      last_webhook_at: ago(7),
      last_failure: { at: ago(70), reason: 'unauthorized' },
    });
    expect(shownState('reachable', node).slice(1)).toEqual([
      `Last webhook ${age(7)}`,
      `Last failure (unauthorized) ${age(70)}`,
    ]);
  });

  it('says that it is checked once calls go out if no node has used it', () => {
    expect(shownState('unknown')).toEqual(['Not checked', 'Checked once calls go out.']);
  });
});

describe('the table of costs', () => {
  it('marks estimates and costs on own keys', () => {
    const item = { provider: 'openai', model: 'gpt-4o', kind: 'input_tokens', quantity: 1_200, unit: 'token' } as const;
    const { element } = show(
      <CostTable
        label="Cost"
        items={[
          { ...item, price: 0.12, own_key: false, is_estimate: true },
          {
            ...item,
            provider: 'deepgram',
            model: null,
            kind: 'stt_seconds',
            unit: 'second',
            price: null,
            own_key: true,
          },
        ]}
        formatPrice={(price) => price ?? 'no price'}
      />,
    );
    expect(cellsOf(element)).toEqual([
      ['openai gpt-4o', 'Input tokens estimate', `${(1_200).toLocaleString()} token`, '0.12'],
      ['deepgram', 'STT seconds own key', `${(1_200).toLocaleString()} second`, 'no price'],
    ]);
  });
});

describe('a block of JSON', () => {
  it.each([
    ['an object', { a: 1 }, '{\n  "a": 1\n}'],
    ['a text as it is', 'plain', 'plain'],
    ['nothing', undefined, ''],
  ])('shows %s', (_, value, text) => {
    expect(show(<JsonBlock value={value} />).element.textContent).toBe(text);
  });

  it('is cut after 20,000 characters', () => {
    const shown = show(<JsonBlock value={'x'.repeat(20_001)} />).element.textContent ?? '';
    expect([shown.length, shown.at(-1)]).toEqual([20_001, '…']);
  });
});

describe('the unheard rest of a reply', () => {
  it('is announced as such, and left out without one', () => {
    expect(textOf(show(<Unheard text="at eight" />).element)).toBe('(Not heard:) at eight');
    expect(show(<Unheard text="" />).element.textContent).toBe('');
  });
});

describe('the other party of a call', () => {
  it.each([
    ['inbound', '+31612345678', '+31612345678'],
    ['outbound', null, 'Unknown'],
    ['web', null, 'Web page'],
  ] as const)('of an %s call from %s is %s', (direction, caller_phone, party) => {
    expect(otherParty({ direction, caller_phone })).toBe(party);
  });
});
