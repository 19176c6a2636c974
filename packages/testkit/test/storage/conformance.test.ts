import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Storage } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { sourceProgram } from '@va/test-servers/programs';
import { describe, expect, it } from 'vitest';
import { appliesTo, openContext } from '../../src/storage/conformance.ts';
import { storageTests } from '../../src/storage/storage-tests.ts';
import { defects } from './support/defects/defects.ts';

const capabilities = { persistent: false, shared: false, migrations: false };
const tests = Object.values(storageTests).flat();

/** These take longer than all other tests together, so they run only against the defects that they must find. */
const long = new Set([
  'inserts ten thousand at once',
  'finds frequent and rare words among many records, newest first, by pages',
  'combines words with other conditions, alternatives, orders and positions',
  'shows nothing of a transaction before its commit',
  'lists exactly the matches of a filter, by every field',
  'counts exactly the matches of a filter, by every field',
  'changes exactly the matches of a filter with updateMany',
  'filters by words of texts, the last one by its beginning',
  'returns every record of every collection as it was stored',
  'keeps JSON of a megabyte',
  'skips taken records in a long insertMany, even all of it',
  'stores each field of a long insertMany, whether or not it is equal in all records',
  'matches the storage in memory through random sequences of verbs',
]);

/** Returns the names of the tests that the storage fails. */
async function failuresOf(open: () => Storage, isRun = (_name: string): boolean => true): Promise<string[]> {
  const context = await openContext({ name: 'altered', capabilities, open, model: { runs: 40 } });
  const failed: string[] = [];
  for (const test of tests.filter((each) => appliesTo(each, capabilities) && isRun(each.name))) {
    await test.run(context).catch(() => failed.push(test.name));
  }
  return failed;
}

describe('storage conformance', () => {
  it('passes a correct storage', async () => {
    expect(await failuresOf(memory)).toEqual([]);
  });

  it('has a unique name for each test', () => {
    const names = tests.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining([...long]));
  });

  it('runs under node:test as well', async () => {
    const file = await sourceProgram(new URL('./support/node-test.ts', import.meta.url));
    const { NODE_OPTIONS: _, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, ['--test-reporter=tap', file], { env });
    expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(90);
    expect(stdout).toMatch(/^# fail 0$/m);
  });

  for (const { name, open, foundBy } of defects) {
    it(`finds a storage that ${name}`, async () => {
      expect(await failuresOf(open, (test) => !long.has(test) || foundBy.includes(test))).toEqual(foundBy);
    });
  }
});
