import { EventQueue } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';

async function read<T>(queue: EventQueue<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of queue) events.push(event);
  return events;
}

describe('EventQueue', () => {
  it('yields events pushed before and during reading, in order', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    const reading = read(queue);
    await Promise.resolve();
    queue.push(2);
    queue.push(3);
    queue.end();
    queue.push(4);
    expect(await reading).toEqual([1, 2, 3]);
  });

  it('throws the failure after the preceding events', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    queue.fail(new Error('lost'));
    queue.fail(new Error('later'));
    const seen: number[] = [];
    await expect(
      (async () => {
        for await (const event of queue) seen.push(event);
      })(),
    ).rejects.toThrow('lost');
    expect(seen).toEqual([1]);
  });

  it('drops unread events and the failure on discard()', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    queue.fail(new Error('lost'));
    queue.discard();
    expect(await read(queue)).toEqual([]);
    expect(queue.ended).toBe(true);
  });
});
