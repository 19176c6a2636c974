import { killThreads, watchThreads } from '@va/test-servers/threads';
import { describe, expect, it } from 'vitest';
import { SynthesisQueue } from '../../src/flite/synthesis-queue.ts';

watchThreads();

describe('SynthesisQueue', () => {
  it('replaces a thread that dies, and retries its text', async () => {
    const queue = new SynthesisQueue();
    queue.acquire();
    const samples = queue.synthesize('Are you still there?', 'slt');
    await killThreads();
    expect((await samples).length).toBeGreaterThan(4_000);
    queue.release();
  });

  it('fails a text on which the thread dies twice', async () => {
    const queue = new SynthesisQueue();
    queue.acquire();
    const outcome = queue.synthesize('Are you still there?', 'slt').catch((thrown: unknown) => thrown);
    await killThreads();
    await killThreads();
    expect(await outcome).toMatchObject({ fault: 'unavailable', retryable: true });
    queue.release();
  });

  it('fails waiting texts when the last session closes', async () => {
    const queue = new SynthesisQueue();
    queue.acquire();
    const outcomes = ['one', 'two'].map((text) => queue.synthesize(text, 'slt').catch((thrown: unknown) => thrown));
    queue.release();
    for (const outcome of outcomes) expect(await outcome).toMatchObject({ fault: 'unavailable' });
  });
});
