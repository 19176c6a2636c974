// @vitest-environment happy-dom
import type { CallEvent } from '@va/client';
import { expect, it } from 'vitest';
import { type LiveCallItem, withCommand, withEvent } from '../../../src/app/pages/live/call/items.ts';
import { nextFloor } from '../../../src/app/pages/live/parts/floor.ts';

function itemsOf(...events: readonly (readonly [string, object])[]): readonly LiveCallItem[] {
  return events
    .map(([type, data], n) => ({ id: String(n + 1), call_id: 'c', at: '', type, data }) as unknown as CallEvent)
    .reduce<readonly LiveCallItem[]>(withEvent, []);
}

it('a tool result › belongs to the running tool with its id', () => {
  const items = itemsOf(
    ['tool-call', { id: 'a', name: 'one', arguments: {} }],
    ['tool-result', { id: 'a', ok: true, result: 1 }],
    ['tool-call', { id: 'a', name: 'two', arguments: {} }],
    ['tool-result', { id: 'b', ok: true, result: 9 }],
    ['tool-result', { id: 'a', ok: false, error: 'down' }],
  );
  expect(items.map((item) => item.kind === 'tool' && item.outcome)).toEqual([
    { ok: true, result: 1 },
    { ok: false, error: 'down' },
  ]);
});

it('an event of a later version › is not shown', () => {
  expect(itemsOf(['something-new', { text: 'x' }])).toEqual([]);
});

it('a command › is updated in place', () => {
  const sent = { id: '1', at: '', text: 'Say hello', state: 'sending', error: null } as const;
  const before = withCommand(itemsOf(['dtmf', { digit: '5' }]), sent);
  const after = withCommand(withCommand(before, { ...sent, id: '2' }), { ...sent, state: 'done' });
  expect(after.map((item) => (item.kind === 'command' ? [item.id, item.state] : item.kind))).toEqual([
    'note',
    ['1', 'done'],
    ['2', 'sending'],
  ]);
});

it('the wait of the floor › counts from its start while reason and tools stay the same', () => {
  const state = (waits_for: string, tools: readonly string[] = []) => ({ waits_for, tools }) as never;
  const first = nextFloor(null, state('tool', ['a']), 100);
  expect(nextFloor(first, state('tool', ['a']), 200)).toMatchObject({ waitsSinceMs: 100, receivedAtMs: 200 });
  expect(nextFloor(first, state('tool', ['b']), 200).waitsSinceMs).toBe(200);
  expect(nextFloor(first, state('caller', ['a']), 200).waitsSinceMs).toBe(200);
});
