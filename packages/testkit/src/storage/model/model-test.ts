import assert from 'node:assert/strict';
import { memory } from '@va/storage/memory';
import fc from 'fast-check';
import type { StorageTest } from '../storage-test.ts';
import { commands, everything, newWorld, outcome } from './commands.ts';

/** Runs random sequences of verbs on the storage and on the adapter `memory`, and compares the results. */
export const modelTest: StorageTest = {
  name: 'matches the storage in memory through random sequences of verbs',
  async run({ storage, model }) {
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const reference = memory();
        const world = newWorld();
        const done: string[] = [];
        for (const { says, prepare } of sequence) {
          done.push(says);
          const step = prepare(world);
          const expected = await outcome(step(reference));
          const actual = await outcome(step(storage));
          assert.deepStrictEqual(actual, expected, `after ${done.join(', ')}`);
        }
        assert.deepStrictEqual(await everything(storage, world), await everything(reference, world), done.join(', '));
      }),
      { seed: model.seed, numRuns: model.runs },
    );
  },
};
