import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { pglite } from '@va/storage/pglite';
import { sourceProgram } from '@va/test-servers/programs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../src/migrate/migrate.ts';
import { prepareEmptyFolder } from '../support/prepared-pglite.ts';

/** Versions and names of all migrations: a released one is never renamed. */
const names = [
  '1 initial-tables',
  '2 whole-service',
  '3 media-of-calls',
  '4 webhooks-that-arrive',
  '5 after-the-call',
  '6 several-nodes',
  '7 campaigns-that-dial',
  '8 secrets-of-organizations',
  '9 webhooks-in-order',
  '10 leads-by-status',
  '11 media-source-of-trunks',
  '12 every-organization-signs',
  '13 dial-policies',
  '14 failed-dials',
  '15 sealed-secrets-in-records',
  '16 webhook-sequence',
  '17 types-of-trunks',
  '18 cost-breakdowns',
  '19 budgets',
  '20 web-calls',
  '21 call-statistics',
  '22 words-of-transcripts',
  '23 publishable-keys',
  '24 details-of-nodes',
  '25 supervision',
  '26 statistics-of-days',
  '12 job-queue',
];

let dir: string;
let out: string[];
let err: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-migrate-'));
  out = [];
  err = [];
});

afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

function run(args: readonly string[], env: Record<string, string> = {}): Promise<0 | 2> {
  return migrate(args, { env, out: (line) => out.push(line), err: (line) => err.push(line) });
}

describe('va migrate', () => {
  it('prints its options with --help', async () => {
    expect(await run(['--help'])).toBe(0);
    expect(out.join('')).toContain('--postgres URL');
    expect(await readdir(dir)).toEqual([]);
  });

  it('prints a plan that can be run by hand, and changes nothing', async () => {
    expect(await run(['--plan', '--dir', join(dir, 'db')])).toBe(0);
    expect(await readdir(dir)).toEqual([]);
    expect(err).toEqual([]);
    expect(out.filter((line) => line.startsWith('--'))).toEqual(names.map((name) => `-- ${name}`));

    await prepareEmptyFolder(join(dir, 'db'));
    const byHand = await PGlite.create(join(dir, 'db'));
    await byHand.exec(out.join('\n'));
    await byHand.close();
    out = [];
    expect(await run(['--plan', '--dir', join(dir, 'db')])).toBe(0);
    expect(out).toEqual([]);
    expect(await run(['--dir', join(dir, 'db')])).toBe(0);
    expect(err).toEqual(['The schema is up to date.']);
  });

  it('applies pending migrations, so that a storage in the mode check starts', async () => {
    await prepareEmptyFolder(join(dir, 'db'));
    expect(await run(['--dir', join(dir, 'db')])).toBe(0);
    expect(err).toEqual(names.map((name) => `Applied ${name}`));
    const storage = pglite({ dir: join(dir, 'db'), migrations: 'check' });
    await storage.start();
    await storage.close();
  });

  it('uses DATABASE_URL, unless another database is named', async () => {
    const nowhere = { DATABASE_URL: 'postgres://va@127.0.0.1:1/va' };
    await expect(run(['--plan'], nowhere)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(run(['--plan', '--postgres', 'postgres://va@127.0.0.1:2/va'], nowhere)).rejects.toThrow(/:2/);
    expect(await run(['--plan', '--dir', dir], nowhere)).toBe(0);
  });

  it('rejects invalid arguments', async () => {
    expect(await run(['--dir', dir, '--postgres', 'postgres://127.0.0.1/va'])).toBe(2);
    expect(await run(['--force'])).toBe(2);
    expect(out).toEqual([]);
    expect(err).toHaveLength(2);
  });

  it('runs as a command with an exit code', async () => {
    const main = await sourceProgram(new URL('../../src/migrate/main.ts', import.meta.url));
    const va = (...args: string[]): Promise<{ stdout: string }> =>
      promisify(execFile)(process.execPath, [main, ...args]);
    const { stdout } = await va('--plan', '--dir', join(dir, 'db'));
    expect(stdout).toMatch(
      /^begin;\n-- 1 initial-tables\n[\s\S]*\ncommit;\n-- 12 job-queue\n\s*BEGIN;[\s\S]*COMMIT;\s*$/,
    );
    await expect(va('--force')).rejects.toMatchObject({ code: 2, stdout: '' });
    await expect(va('--postgres', 'postgres://va@127.0.0.1:1/va')).rejects.toMatchObject({ code: 1, stdout: '' });
  });
});
