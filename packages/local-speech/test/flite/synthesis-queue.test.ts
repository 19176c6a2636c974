import { describe, expect, it } from 'vitest';
import { SynthesisQueue } from '../../src/flite/synthesis-queue.ts';

describe('the synthesis thread', () => {
  it('is replaced when it dies, and the text in work is spoken by the next', async () => {
    const queue = new SynthesisQueue();
    queue.acquire();
    const samples = queue.synthesize('Are you still there?', 'slt');
    await queue.worker.crash();
    expect((await samples).length).toBeGreaterThan(4_000);
    queue.release();
  });

  it('fails a text that it dies over twice', async () => {
    const queue = new SynthesisQueue();
    queue.acquire();
    const outcome = queue.synthesize('Are you still there?', 'slt').catch((thrown: unknown) => thrown);
    await queue.worker.crash();
    await queue.worker.crash();
    expect(await outcome).toMatchObject({ fault: 'unavailable', retryable: true });
    queue.release();
  });

  it('fails what still waits when the last session closes', async () => {
    const queue = new SynthesisQueue();
    queue.acquire();
    const outcomes = ['one', 'two'].map((text) => queue.synthesize(text, 'slt').catch((thrown: unknown) => thrown));
    queue.release();
    for (const outcome of outcomes) expect(await outcome).toMatchObject({ fault: 'unavailable' });
  });
});
