import { VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { InferenceThread } from '../../src/onnx-turn-model/inference-thread.ts';

const program = { file: new URL('./programs/obedient.mjs', import.meta.url), execArgv: [] };
const clock = new VirtualClock();
const started: InferenceThread[] = [];

afterEach(async () => {
  for (const thread of started.splice(0)) await thread.close();
});

async function start(file = 'ready'): Promise<InferenceThread> {
  const thread = await InferenceThread.start({ file, output: 'probability' }, clock, program);
  started.push(thread);
  return thread;
}

/** Runs a task whose first sample tells the program what to do. */
function run(thread: InferenceThread, ...samples: number[]): Promise<number> {
  return thread.run({ audio: Int16Array.from(samples), sampleRateHz: 8_000 });
}

describe('an inference thread', () => {
  it('answers tasks, and takes over the buffer of their audio', async () => {
    const thread = await start();
    expect(thread.hasCompletedTask).toBe(false);
    const audio = new Int16Array(40);
    expect(await thread.run({ audio, sampleRateHz: 8_000 })).toBe(0.4);
    expect(audio).toHaveLength(0);
    expect(thread.hasCompletedTask).toBe(true);
    // A part of a larger buffer is copied.
    const part = new Int16Array(40).subarray(0, 20);
    expect(await thread.run({ audio: part, sampleRateHz: 8_000 })).toBe(0.2);
    expect(part).toHaveLength(20);
  });

  it('refuses audio whose buffer was transferred before, and goes on', async () => {
    const thread = await start();
    const task = { audio: new Int16Array(40), sampleRateHz: 8_000 };
    await thread.run(task);
    await expect(thread.run(task)).rejects.toMatchObject({ name: 'DataCloneError' });
    expect(await run(thread, 0, 0)).toBe(0.02);
    expect(clock.pending).toBe(0);
  });

  it('goes on after a task that failed', async () => {
    const thread = await start();
    await expect(run(thread, 3)).rejects.toMatchObject({ code: 'turn_model_run', message: 'wrong shape' });
    expect(await run(thread, 0, 0)).toBe(0.02);
  });

  it('fails its task when it crashes', async () => {
    const thread = await start();
    await expect(run(thread, 1)).rejects.toMatchObject({
      code: 'turn_model_thread',
      message: 'The thread of the turn model ended: out of order',
    });
    expect(thread.isAlive).toBe(false);
    await thread.ended;
    await expect(run(thread, 0)).rejects.toMatchObject({ code: 'turn_model_thread' });
  });

  it('is terminated when a task takes longer than 5 s', async () => {
    const thread = await start();
    const answer = run(thread, 2);
    const rejected = expect(answer).rejects.toThrow('The turn model did not answer within 5000 ms.');
    await clock.advance(5_000);
    await rejected;
    expect(thread.isAlive).toBe(false);
  });

  it('reports why it was not started', async () => {
    await expect(start('refused')).rejects.toMatchObject({ code: 'turn_model_file', message: 'no such file' });
    const silent = expect(start('silent')).rejects.toThrow('did not start in time');
    await clock.advance(30_000);
    await silent;
    const missing = { ...program, file: new URL('./programs/missing.mjs', import.meta.url) };
    const start2 = InferenceThread.start({ file: '', output: 'probability' }, clock, missing);
    await expect(start2).rejects.toMatchObject({ code: 'turn_model_thread' });
  });

  it('ends when it is closed, terminated after 2 s if need be', async () => {
    const thread = await start();
    await thread.close();
    expect(thread.isAlive).toBe(false);
    const stubborn = await start('stubborn');
    const closed = stubborn.close();
    await clock.advance(2_000);
    await closed;
    expect(stubborn.isAlive).toBe(false);
    expect(clock.pending).toBe(0);
  });
});
