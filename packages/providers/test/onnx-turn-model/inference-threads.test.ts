import { describe, expect, it } from 'vitest';
import { type Inference, InferenceThreads } from '../../src/onnx-turn-model/inference-threads.ts';
import type { InferenceTask } from '../../src/onnx-turn-model/messages.ts';

const task: InferenceTask = { audio: new Int16Array(8), sampleRateHz: 8_000 };
const { signal } = new AbortController();

/** An inference that the test answers, and ends. */
class PlayedInference implements Inference {
  readonly ended: Promise<void>;
  readonly tasks: InferenceTask[] = [];
  isAlive = true;
  hasCompletedTask = false;
  #end: () => void = () => {};
  #running: { resolve: (answer: number) => void; reject: (error: Error) => void } | null = null;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  run(given: InferenceTask): Promise<number> {
    this.tasks.push(given);
    return new Promise((resolve, reject) => {
      this.#running = { resolve, reject };
    });
  }

  async answer(probability: number): Promise<void> {
    this.hasCompletedTask = true;
    this.#running?.resolve(probability);
    await settled();
  }

  async crash(): Promise<void> {
    this.isAlive = false;
    this.#running?.reject(new Error('crashed'));
    this.#end();
    await settled();
  }

  async close(): Promise<void> {
    this.isAlive = false;
    this.#end();
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function openThreads(count = 1, fails: () => boolean = () => false) {
  const started: PlayedInference[] = [];
  const threads = new InferenceThreads(count, async () => {
    if (fails()) throw new Error('no start');
    const inference = new PlayedInference();
    started.push(inference);
    return inference;
  });
  await threads.open();
  return { threads, started };
}

describe('inference threads', () => {
  it('run one task each, and the waiting tasks in order', async () => {
    const { threads, started } = await openThreads(2);
    const answers = [0.1, 0.2, 0.3].map(() => threads.run({ ...task }, signal));
    expect(started.map(({ tasks }) => tasks.length)).toEqual([1, 1]);
    await started[1]?.answer(0.1);
    await started[1]?.answer(0.3);
    await started[0]?.answer(0.2);
    expect(await Promise.all(answers)).toEqual([0.1, 0.2, 0.3]);
  });

  it('skip a task whose request was aborted while it waited', async () => {
    const { threads, started } = await openThreads();
    const abort = new AbortController();
    const first = threads.run(task, signal);
    const aborted = threads.run(task, abort.signal);
    const last = threads.run(task, signal);
    abort.abort(new Error('the caller goes on'));
    await expect(aborted).rejects.toThrow('the caller goes on');
    await started[0]?.answer(0.1);
    await started[0]?.answer(0.3);
    expect([await first, await last]).toEqual([0.1, 0.3]);
    expect(started[0]?.tasks).toHaveLength(2);
    await expect(threads.run(task, abort.signal)).rejects.toThrow('the caller goes on');
  });

  it('stay busy with an aborted task until the thread is free', async () => {
    const { threads, started } = await openThreads();
    const abort = new AbortController();
    const aborted = threads.run(task, abort.signal);
    abort.abort(new Error('late'));
    await expect(aborted).rejects.toThrow('late');
    const next = threads.run(task, signal);
    expect(started[0]?.tasks).toHaveLength(1);
    await started[0]?.answer(0.9);
    await started[0]?.answer(0.4);
    expect(await next).toBe(0.4);
  });

  it('fail the running task when the thread crashes, and run the waiting one on another', async () => {
    const { threads, started } = await openThreads();
    const first = threads.run(task, signal);
    const second = threads.run(task, signal);
    const failure = expect(first).rejects.toThrow('crashed');
    await started[0]?.crash();
    await failure;
    await started[1]?.answer(0.7);
    expect(await second).toBe(0.7);
  });

  it('are restored at once after a crash of a thread that worked before', async () => {
    const { threads, started } = await openThreads();
    const answer = threads.run(task, signal);
    await started[0]?.answer(0.5);
    await answer;
    await started[0]?.crash();
    expect(started).toHaveLength(2);
    await started[1]?.crash();
    expect(started).toHaveLength(2);
    const next = threads.run(task, signal);
    await settled();
    await started[2]?.answer(0.6);
    expect(await next).toBe(0.6);
  });

  it('reject waiting tasks when no thread can be started, and try again with the next task', async () => {
    let isBroken = false;
    const { threads, started } = await openThreads(1, () => isBroken);
    isBroken = true;
    await started[0]?.crash();
    await expect(threads.run(task, signal)).rejects.toThrow('no start');
    isBroken = false;
    const next = threads.run(task, signal);
    await settled();
    await started[1]?.answer(0.2);
    expect(await next).toBe(0.2);
  });

  it('close all that were started when one does not start', async () => {
    const started: PlayedInference[] = [];
    const threads = new InferenceThreads(2, async () => {
      if (started.length === 1) throw new Error('no start');
      const inference = new PlayedInference();
      started.push(inference);
      return inference;
    });
    await expect(threads.open()).rejects.toThrow('no start');
    expect(started.map(({ isAlive }) => isAlive)).toEqual([false]);
  });

  it('reject waiting and new tasks when they are closed', async () => {
    const { threads, started } = await openThreads();
    const running = threads.run(task, signal);
    const waiting = threads.run(task, signal);
    const rejected = expect(waiting).rejects.toMatchObject({ code: 'turn_model_closed' });
    const closing = threads.close();
    await rejected;
    await started[0]?.answer(0.1);
    await closing;
    expect(await running).toBe(0.1);
    await expect(threads.run(task, signal)).rejects.toMatchObject({ code: 'turn_model_closed' });
  });
});
