import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('docs/turn-taking.svg shows the default delays', () => {
  const [run, script] = ['run.mjs', 'turn-taking-figure.ts'].map((name) =>
    fileURLToPath(new URL(`../scripts/${name}`, import.meta.url)),
  ) as [string, string];
  const { status, stderr } = spawnSync(process.execPath, [run, script, '--check'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
