import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sourceProgram } from '@va/test-servers/programs';
import { describe, expect, it } from 'vitest';
import type { Impairment } from '../../support/impairing-relay.ts';

/** The result that a `bad-network-call.ts` process prints. */
interface Outcome {
  readonly means: 'netem' | 'relay';
  readonly status: string;
  readonly endReason: string;
  readonly isUnderstood: boolean;
  readonly replies: number;
  readonly sentFrames: number;
  readonly heardFrames: number;
  readonly loudFrames: number;
  readonly lostByRelay: number | null;
}

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const inNamespace = [pathOf('../../../scripts/in-namespace.mjs')];
const trial = spawnSync(process.execPath, [...inNamespace, 'true'], { encoding: 'utf8' });
const hasNamespaces = trial.status === 0;
if (!hasNamespaces && process.env.CI) throw new Error(trial.stderr);
if (!hasNamespaces) console.warn(trial.stderr);

async function callOver(impairment: Impairment): Promise<Outcome> {
  const program = await sourceProgram(new URL('../../support/bad-network-call.ts', import.meta.url));
  const node = [process.execPath, program, JSON.stringify(impairment)];
  const child = spawn(process.execPath, [...inNamespace, ...node], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  const errors: string[] = [];
  child.stdout.on('data', (chunk) => output.push(String(chunk)));
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  expect(code, errors.join('')).toBe(0);
  return JSON.parse(output.join('')) as Outcome;
}

describe.skipIf(!hasNamespaces)('a call over an impaired network (Debian: iproute2, util-linux)', () => {
  // Runs one at a time: six processes with real audio would starve each other on two processors.
  it.for<[string, Impairment, Partial<Outcome>]>([
    ['loses 1 %', { loss: 0.01 }, { isUnderstood: true }],
    ['loses 5 %', { loss: 0.05 }, { isUnderstood: true }],
    ['loses 20 %', { loss: 0.2 }, {}],
    ['lets packets overtake each other', { reordering: 0.1 }, { isUnderstood: true }],
    ['delivers packets twice', { duplication: 0.3 }, { isUnderstood: true }],
    ['delays by up to 50 ms', { jitterMs: 50 }, { isUnderstood: true }],
  ])('that %s continues, and both sides are heard', async ([, impairment, expected], context) => {
    const outcome = await callOver(impairment);
    // Not every kernel has netem: record which means of impairment the figures belong to.
    await context.annotate(`impaired by ${outcome.means}: ${JSON.stringify(outcome)}`);
    expect(outcome).toMatchObject({ status: 'ended', endReason: 'user_hangup', ...expected });
    // The first message and a reply.
    expect(outcome.replies).toBeGreaterThanOrEqual(2);
    // A busy machine may skip frames independently of the network.
    expect(outcome.heardFrames / outcome.sentFrames).toBeGreaterThan(0.7);
    expect(outcome.loudFrames).toBeGreaterThan(150);
    if (outcome.lostByRelay !== null) expect(outcome.lostByRelay > 0).toBe(impairment.loss !== undefined);
  });
});
