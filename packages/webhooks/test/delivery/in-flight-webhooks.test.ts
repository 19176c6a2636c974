import { describe, expect, it } from 'vitest';
import { InFlightWebhooks } from '../../src/delivery/in-flight-webhooks.ts';

async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('InFlightWebhooks', () => {
  it('resolves when 80 % of the webhooks are released', async () => {
    const inFlight = new InFlightWebhooks<string>();
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) inFlight.add(id, id);
    const most = inFlight.mostReleased(ids);
    for (const id of ['a', 'b', 'c']) inFlight.release(id);
    expect(await isSettled(most)).toBe(false);
    inFlight.release('d');
    expect(await isSettled(most)).toBe(true);
    expect([inFlight.size, inFlight.has('e'), inFlight.has('d')]).toEqual([1, true, false]);
  });

  it('resolves at once when none of the webhooks is in flight', async () => {
    await new InFlightWebhooks<string>().mostReleased(['a']);
  });

  it('resolves for each of several callers that wait for the same webhook', async () => {
    const inFlight = new InFlightWebhooks<string>();
    inFlight.add('a', 'a');
    const both = [inFlight.mostReleased(['a']), inFlight.mostReleased(['a'])];
    inFlight.release('a');
    inFlight.release('a');
    for (const each of both) expect(await isSettled(each)).toBe(true);
  });
});
