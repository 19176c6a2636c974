import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { Child } from '../../src/sip-peers/child.ts';

it('Child.stop kills a program that ignores SIGTERM, with a process that it started', async () => {
  const deaf = "trap '' TERM";
  const child = new Child('/bin/sh', ['-c', `${deaf}; (${deaf}; echo started; sleep 60) & wait; sleep 60`], tmpdir());
  await child.waitFor(/started/, 10_000);
  await child.stop();
  expect(await child.exited).toBe(-1);
});
