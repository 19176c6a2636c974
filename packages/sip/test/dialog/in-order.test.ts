import { describe, expect, it } from 'vitest';
import { InOrder } from '../../src/dialog/in-order.ts';

describe('InOrder', () => {
  it('passes results on in the order of their requests, whichever is known first', async () => {
    const order = new InOrder();
    const passed: string[] = [];
    let know = (_: string): void => {};
    order.add(
      new Promise<string>((resolve) => {
        know = resolve;
      }),
      (result) => passed.push(result),
    );
    order.add('known', (result) => passed.push(result));
    expect(order.isWaiting).toBe(true);
    know('late');
    const last = new Promise<void>((resolve) => {
      order.add('last', (result) => {
        passed.push(result);
        resolve();
      });
    });
    await last;
    expect(passed).toEqual(['late', 'known', 'last']);
  });

  it('waits for nothing once all results were passed on', async () => {
    const order = new InOrder();
    expect(order.isWaiting).toBe(false);
    await new Promise<void>((resolve) => order.add('only', () => resolve()));
    await Promise.resolve();
    expect(order.isWaiting).toBe(false);
  });
});
