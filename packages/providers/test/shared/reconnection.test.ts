import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import { Reconnection } from '../../src/shared/connection/reconnection.ts';

it('Reconnection › cancels a scheduled attempt, which stays counted', async () => {
  const clock = new VirtualClock();
  const reconnection = new Reconnection(clock);
  let connected = 0;
  const connect = (): void => {
    connected += 1;
  };
  reconnection.schedule(connect);
  reconnection.cancel();
  await clock.advance(10_000);
  expect([connected, reconnection.schedule(connect), reconnection.schedule(connect)]).toEqual([0, true, true]);
  expect(reconnection.schedule(connect)).toBe(false);
});
