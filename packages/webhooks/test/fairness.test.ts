import { systemClock } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { PerHostLimiter } from '../src/delivery/per-host-limiter.ts';
import { answerJson, startCustomerServer } from './support/customer-server.ts';
import { startDispatcher, storeAndDeliver, until, webhook } from './support/dispatcher.ts';

describe('dispatcher, when a receiver hangs', () => {
  it('delivers the webhooks of other receivers at once', async () => {
    const dead = await startCustomerServer(() => {});
    const others = await Promise.all(
      Array.from({ length: 10 }, () => startCustomerServer((response) => answerJson(response, {}))),
    );
    const started = startDispatcher(systemClock);
    for (let n = 0; n < 1_000; n += 1)
      await storeAndDeliver(started, webhook(dead.url, 'status-update', {}, `dead-${n}`));
    for (const [n, { url }] of others.entries()) {
      for (let m = 0; m < 20; m += 1)
        await storeAndDeliver(started, webhook(url, 'status-update', {}, `call-${n}-${m}`));
    }
    await until(() => others.every(({ received }) => received.length === 20));
    expect(dead.received.length).toBeLessThanOrEqual(32);
    await until(() => started.attempts.length === 200);
    await started.dispatcher.close({ drainMs: 0 });
    for (const server of [dead, ...others]) await server.close();
  });
});

describe('PerHostLimiter', () => {
  it('starts requests up to the limit, queues further ones in order, and rejects the rest', async () => {
    const limiter = new PerHostLimiter({ active: 1, waiting: 2 });
    const entered: string[] = [];
    const enter = async (name: string): Promise<(() => void) | null> => {
      const leave = await limiter.enter('a');
      if (leave !== null) entered.push(name);
      return leave;
    };
    const first = await enter('first');
    const [second, third] = [enter('second'), enter('third')];
    expect(limiter.hasRoom('a')).toBe(false);
    expect(await enter('fourth')).toBeNull();
    expect(await limiter.enter('b')).not.toBeNull();
    first?.();
    (await second)?.();
    (await third)?.();
    expect(entered).toEqual(['first', 'second', 'third']);
    expect(limiter.hasRoom('a')).toBe(true);
  });
});
