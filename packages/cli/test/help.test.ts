import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sourceProgram } from '@va/test-servers/programs';
import { expect, it } from 'vitest';

const main = new URL('../src/main.ts', import.meta.url);
const va = async (...args: string[]): Promise<{ stdout: string }> =>
  await promisify(execFile)(process.execPath, [await sourceProgram(main), ...args]);

// Contract: `va serve --help` failed with "Unknown option".
it.each([[['--help']], [['demo', '--help']], [['serve', '--help']], [['migrate', '-h']], [['campaigns', '--help']]])(
  'va %j prints its options and exits with 0',
  async (args) => {
    expect((await va(...args)).stdout).toMatch(/--\w/);
  },
);

it('va refuses a port that is not a number', async () => {
  await expect(va('demo', '--web', '--port', 'x')).rejects.toMatchObject({
    stderr: '--port x is invalid: expected a whole number from 0 to 65535.\n',
  });
});

it('va refuses an unknown command with exit code 2', async () => {
  await expect(va('server')).rejects.toMatchObject({ code: 2 });
});
