import { describe, expect, it } from 'vitest';
import { FairOrder } from '../../../src/campaigns/scheduling/fair-order.ts';

/** Due campaigns as `organization-number`. */
const due = (...names: readonly string[]): { orgId: string; record: string }[] =>
  names.map((record) => ({ orgId: record.slice(0, 1), record }));

const arranged = (order: FairOrder, ...names: readonly string[]): string[] =>
  order.arrange(due(...names)).map(({ record }) => record);

describe('FairOrder', () => {
  it('takes one item of each organization before the second of any, and keeps their order', () => {
    expect(arranged(new FairOrder(), 'a1', 'a2', 'a3', 'b1', 'c1', 'b2')).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('returns an empty list if there are no items', () => {
    expect(arranged(new FairOrder())).toEqual([]);
  });

  it('begins with the organization whose last turn was longest ago', () => {
    const order = new FairOrder();
    for (const orgId of ['a', 'b', 'c', 'a']) order.recordTurn(orgId);
    expect(arranged(order, 'a1', 'b1', 'c1')).toEqual(['b1', 'c1', 'a1']);
  });

  it('begins with organizations that had no turn yet', () => {
    const order = new FairOrder();
    order.recordTurn('a');
    expect(arranged(order, 'a1', 'a2', 'b1')).toEqual(['b1', 'a1', 'a2']);
  });

  it('starts over after 10,000 organizations', () => {
    const order = new FairOrder();
    for (const orgId of ['b', 'a']) order.recordTurn(orgId);
    for (let n = 2; n < 10_000; n += 1) order.recordTurn(`organization ${n}`);
    expect(arranged(order, 'a1', 'b1')).toEqual(['b1', 'a1']);
    order.recordTurn('b');
    expect(arranged(order, 'b1', 'a1')).toEqual(['a1', 'b1']);
    expect(arranged(order, 'a1', 'new')).toEqual(['a1', 'new']);
  });
});
