import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { Uploads } from '../../src/s3/uploads.ts';

let clock: VirtualClock;
let uploads: Uploads;
let delaysMs: number[];
let attempts: number;

beforeEach(() => {
  clock = new VirtualClock();
  delaysMs = [];
  attempts = 0;
  const warn = (fields: unknown): void => void delaysMs.push((fields as { delayMs: number }).delayMs);
  uploads = new Uploads({ clock, logger: { warn } });
});

async function fail(): Promise<void> {
  attempts += 1;
  throw new Error('unavailable');
}

async function succeed(): Promise<void> {
  attempts += 1;
}

describe('Uploads', () => {
  it('retries after 1 s, 5 s, 30 s, 2 min, and then every 10 min', async () => {
    uploads.begin('key', fail);
    await clock.advance(0);
    for (const delayMs of [1_000, 5_000, 30_000, 120_000, 600_000, 600_000]) {
      const before = attempts;
      expect(delaysMs.at(-1)).toBe(delayMs);
      await clock.advance(delayMs - 1);
      expect(attempts).toBe(before);
      await clock.advance(1);
      expect(attempts).toBe(before + 1);
    }
  });

  it('does not repeat an upload that has succeeded', async () => {
    uploads.begin('key', succeed);
    await clock.advance(3_600_000);
    expect([attempts, delaysMs, clock.pending]).toEqual([1, [], 0]);
  });

  it('runs one upload of a key at a time', async () => {
    uploads.begin('key', fail);
    uploads.begin('key', succeed);
    await clock.advance(0);
    expect(delaysMs).toEqual([1_000]);
    await uploads.cancel('key');
    uploads.begin('key', succeed);
    await clock.advance(0);
    expect(attempts).toBe(2);
  });

  it.each<[string, () => Promise<void>]>([
    ['cancel', () => uploads.cancel('key')],
    ['close', () => uploads.close()],
  ])('drops a scheduled retry on %s, and leaves no timer behind', async (_, stop) => {
    uploads.begin('key', fail);
    await clock.advance(0);
    expect(clock.pending).toBe(1);
    await stop();
    await clock.advance(3_600_000);
    expect([attempts, clock.pending]).toEqual([1, 0]);
  });

  it('aborts the attempt in progress on cancel, but waits for it on close', async () => {
    const signals: AbortSignal[] = [];
    let finish: () => void = () => {};
    const upload = async (signal: AbortSignal): Promise<void> => {
      signals.push(signal);
      await new Promise<void>((resolve) => {
        finish = resolve;
        signal.addEventListener('abort', () => resolve());
      });
    };
    uploads.begin('one', upload);
    await uploads.cancel('one');
    expect(signals[0]?.aborted).toBe(true);
    uploads.begin('two', upload);
    let isClosed = false;
    const closing = uploads.close().then(() => {
      isClosed = true;
    });
    await clock.advance(0);
    expect([isClosed, signals[1]?.aborted]).toEqual([false, false]);
    finish();
    await closing;
  });

  it('accepts no upload after close', async () => {
    await uploads.close();
    uploads.begin('key', succeed);
    await clock.advance(0);
    expect(attempts).toBe(0);
  });
});
