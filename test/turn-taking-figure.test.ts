import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('docs/turn-taking.svg shows the default delays', () => {
  const script = fileURLToPath(new URL('../scripts/turn-taking-figure.ts', import.meta.url));
  const args = ['--conditions=@va/source', '--import', 'tsx', script, '--check'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
