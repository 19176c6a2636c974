import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SharedWorker } from '../../src/worker/shared-worker.ts';

const user = { onMessage: () => {}, onLost: () => {} };
const longMs = 600_000;
const started: Worker[] = [];
const note = (worker: Worker): void => {
  started.push(worker);
};

beforeEach(() => {
  started.length = 0;
  process.on('worker', note);
});
afterEach(() => {
  process.off('worker', note);
});

/** Returns all threads that were started; Node.js reports one in the next event-loop turn. */
async function threads(): Promise<readonly Worker[]> {
  await turn();
  return started;
}

/** Resolves when the last thread has ended. */
async function ended(): Promise<void> {
  const last = (await threads()).at(-1);
  if (last === undefined) throw new Error('no thread has been started');
  await once(last, 'exit');
}

/** Ends the thread, which stops at once when its last lease awaits a response. */
async function end(shared: SharedWorker): Promise<void> {
  const lease = shared.lease(user);
  const done = ended();
  await turn();
  lease.await(true);
  lease.release();
  await done;
}

it('SharedWorker keeps its thread for the next lease', async () => {
  const shared = new SharedWorker('flite.js', longMs);
  shared.lease(user).release();
  shared.lease(user).release();
  await end(shared);
  expect(started).toHaveLength(1);
});

it('SharedWorker stops its thread when no lease has come for a time', async () => {
  const shared = new SharedWorker('flite.js', 20);
  shared.lease(user).release();
  await ended();
  shared.lease(user);
  expect(await threads()).toHaveLength(2);
  await end(shared);
});

it('SharedWorker does not stop its thread while there is a lease', async () => {
  const shared = new SharedWorker('flite.js', 20);
  shared.lease(user).release();
  const lease = shared.lease(user);
  let hasEnded = false;
  const done = ended().then(() => {
    hasEnded = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(hasEnded).toBe(false);
  lease.release();
  await done;
});

it('SharedWorker replaces a thread that dies while it waits for a lease', async () => {
  const shared = new SharedWorker('flite.js', longMs);
  shared.lease(user).release();
  const [first] = await threads();
  const done = ended();
  await first?.terminate();
  await done;
  shared.lease(user).release();
  expect(await threads()).toHaveLength(2);
  await end(shared);
});

it('SharedWorker stops its thread at once if the last lease awaits a response', async () => {
  await end(new SharedWorker('flite.js', longMs));
  expect(started).toHaveLength(1);
});
