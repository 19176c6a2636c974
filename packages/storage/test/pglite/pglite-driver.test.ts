import type { PGlite } from '@electric-sql/pglite';
import { describe, expect, it } from 'vitest';
import { PGliteDriver } from '../../src/pglite/pglite-driver.ts';

interface Fake {
  readonly ran: string[];
  readonly driver: PGliteDriver;
}

/** A driver on a database that records what it runs. */
function setUp(options: { readonly fails?: string; readonly onClosed?: () => Promise<void> } = {}): Fake {
  const ran: string[] = [];
  const run = (text: string): void => {
    ran.push(text);
    if (text === options.fails) throw new Error(`failed: ${text}`);
  };
  const pglite = {
    async query(text: string) {
      run(text);
      return { rows: [{ text }], affectedRows: 2 };
    },
    async exec(text: string) {
      run(text);
      return [{ rows: [{ a: 1 }] }, { rows: [] }, { rows: [{ b: 2 }] }];
    },
    async close() {
      run('close');
    },
  };
  return { ran, driver: new PGliteDriver(pglite as unknown as PGlite, options.onClosed) };
}

/** A promise that the test resolves by open(). */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe('PGliteDriver', () => {
  it('returns rows, and the number of changed ones', async () => {
    expect(await setUp().driver.query('select 1', [])).toEqual({ rows: [{ text: 'select 1' }], rowCount: 2 });
  });

  it('commits a transaction', async () => {
    const { driver, ran } = setUp();
    const result = await driver.transaction(async (connection) => {
      await connection.query('insert', []);
      return 'done';
    });
    expect([result, ran]).toEqual(['done', ['begin', 'insert', 'commit']]);
  });

  it.each([
    ['insert', ['begin', 'insert', 'rollback']],
    ['commit', ['begin', 'insert', 'commit', 'rollback']],
  ])('rolls back a transaction whose %s fails', async (fails, expected) => {
    const { driver, ran } = setUp({ fails });
    const working = driver.transaction((connection) => connection.query('insert', []));
    await expect(working).rejects.toThrow(`failed: ${fails}`);
    expect(ran).toEqual(expected);
  });

  it('makes all other statements wait for an open transaction', async () => {
    const { driver, ran } = setUp();
    const { opened, open } = gate();
    const working = driver.transaction(async (connection) => {
      await connection.query('inside', []);
      await opened;
    });
    const others = [
      driver.query('verb', []),
      driver.transaction((connection) => connection.query('other', [])),
      driver.script('script'),
      driver.pglite.query('job', []),
      driver.pglite.exec('jobs'),
    ];
    await Promise.resolve();
    open();
    await Promise.all([working, ...others]);
    expect(ran).toEqual([
      ...['begin', 'inside', 'commit'],
      ...['verb', 'begin', 'other', 'commit', 'script', 'job', 'jobs'],
    ]);
  });

  it('goes on after a statement that failed', async () => {
    const { driver, ran } = setUp({ fails: 'bad' });
    const bad = expect(driver.query('bad', [])).rejects.toThrow('failed: bad');
    const good = driver.query('good', []);
    await Promise.all([bad, good]);
    expect(ran).toEqual(['bad', 'good']);
  });

  it('returns the rows of all statements of a script', async () => {
    expect(await setUp().driver.script('script')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('ends the transaction that a failed script leaves', async () => {
    const { driver, ran } = setUp({ fails: 'script' });
    await expect(driver.script('script')).rejects.toThrow('failed: script');
    expect(ran).toEqual(['script', 'rollback']);
  });

  it.each([
    ['closes the database, then frees its folder', undefined],
    ['frees its folder also when the database cannot be closed', 'close'],
  ])('%s', async (_, fails) => {
    const order: string[] = [];
    const onClosed = async (): Promise<void> => void order.push('freed');
    const { driver, ran } = setUp({ onClosed, ...(fails !== undefined && { fails }) });
    const [closed] = await Promise.allSettled([driver.close()]);
    expect([ran, order]).toEqual([['close'], ['freed']]);
    expect(closed?.status).toBe(fails === undefined ? 'fulfilled' : 'rejected');
  });
});
