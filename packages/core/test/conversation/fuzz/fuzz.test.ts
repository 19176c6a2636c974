import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { step } from '../../../src/conversation/step.ts';
import { breakages } from './breakages.ts';
import { converse } from './converse.ts';
import { type Scene, sceneArbitrary } from './scene.ts';

const runs = Number(process.env.VA_CONVERSATIONS ?? (process.env.CI ? 3_000 : 2_000));
const seed = Number(process.env.VA_SEED ?? 4_711);
/** A scene to replay, as printed by a failure. */
const replayed = process.env.VA_SCENE;

/**
 * Providers throw constantly here; omitting their stack traces saves time, and a failure is identified by its message
 * and scene.
 */
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

describe('random conversations', () => {
  it(`keep all invariants after each step`, async () => {
    if (replayed !== undefined) return await converse(JSON.parse(replayed) as Scene);
    const result = await fc.check(
      fc.asyncProperty(sceneArbitrary, async (scene) => await converse(scene)),
      { numRuns: runs, seed },
    );
    const [scene] = result.counterexample ?? [];
    if (scene !== undefined) {
      const replay = `VA_SCENE='${JSON.stringify(scene)}' npx vitest run packages/core/test/conversation/fuzz`;
      throw new Error(`${String(result.errorInstance)}\n\nReplay it with:\n${replay}`, { cause: result.errorInstance });
    }
    expect(result.numRuns).toBe(runs);
  }, 1_200_000);

  it.each(breakages)('detect a reducer that $name', async ({ of, seed: ownSeed = seed }) => {
    const broken = of(step);
    const result = await fc.check(
      fc.asyncProperty(sceneArbitrary, async (scene) => await converse(scene, broken)),
      { numRuns: 2_000, seed: ownSeed, endOnFailure: true },
    );
    expect(result.failed).toBe(true);
  });
});
