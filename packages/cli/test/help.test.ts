import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const main = join(import.meta.dirname, '..', 'src', 'main.ts');
const va = (...args: string[]): Promise<{ stdout: string }> =>
  promisify(execFile)(process.execPath, ['--conditions=@va/source', '--import', 'tsx', main, ...args]);

// Contract: `va serve --help` failed with "Unknown option".
it.each([[['--help']], [['demo', '--help']], [['serve', '--help']], [['migrate', '-h']], [['campaigns', '--help']]])(
  'va %j prints its options and exits with 0',
  async (args) => {
    expect((await va(...args)).stdout).toMatch(/--\w/);
  },
  90_000,
);

it('refuses an unknown command with exit code 2', async () => {
  await expect(va('server')).rejects.toMatchObject({ code: 2 });
}, 90_000);
