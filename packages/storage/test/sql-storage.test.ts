import { sampleAgent } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { Driver, SqlConnection } from '../src/sql/connection.ts';
import { type SqlStorageOptions, sqlStorage } from '../src/sql-storage.ts';

/** A database without a schema, which records what runs on it. */
class FakeDatabase {
  readonly ran: string[] = [];
  opened = 0;
  closed = 0;
  /** Errors of the next statements of a transaction. */
  readonly errors: Error[] = [];
  /** Error of every statement outside a transaction. */
  failure: Error | null = null;

  readonly driver: Driver = {
    query: async (text) => {
      this.ran.push(text);
      if (this.failure !== null) throw this.failure;
      return { rows: [{ name: null }], rowCount: 1 };
    },
    script: async () => [{ name: null }],
    transaction: async (work) => {
      this.ran.push('begin');
      const session: SqlConnection = {
        query: async (text) => {
          this.ran.push(text);
          const error = this.errors.shift();
          if (error !== undefined) throw error;
          return { rows: [], rowCount: 0 };
        },
      };
      try {
        const result = await work(session);
        this.ran.push('commit');
        return result;
      } catch (error) {
        this.ran.push('rollback');
        throw error;
      }
    },
    close: async () => {
      this.closed += 1;
    },
  };

  storage(options: Partial<SqlStorageOptions> = {}) {
    return sqlStorage({
      open: async () => {
        this.opened += 1;
        return this.driver;
      },
      exists: async () => true,
      ...{ persistent: true, shared: true, schema: 'va', migrations: 'off' },
      ...{ preparedStatements: false, notifications: false },
      ...options,
    });
  }
}

async function started() {
  const database = new FakeDatabase();
  const storage = database.storage();
  await storage.start();
  database.ran.length = 0;
  return { database, storage };
}
/** The kinds of the statements that ran. */
const kinds = ({ ran }: FakeDatabase): string[] => ran.map((text) => text.split(' ', 1)[0] ?? '');

describe('a storage that is not open', () => {
  it.each(['before its start', 'after its end'])('refuses every verb %s', async (when) => {
    const { storage } = when === 'after its end' ? await started() : { storage: new FakeDatabase().storage() };
    if (when === 'after its end') await storage.close();
    const refused = { code: 'storage_not_started' };
    await expect(storage.ping()).rejects.toMatchObject(refused);
    await expect(storage.agents.get('acme', 'a')).rejects.toMatchObject(refused);
    await expect(storage.transaction(async () => 1)).rejects.toMatchObject(refused);
  });
});

describe('SqlStorage.start', () => {
  it('opens one connection, however often it is called', async () => {
    const { database, storage } = await started();
    await storage.start();
    expect(database.opened).toBe(1);
  });

  it('closes the connection of a failed start, and can be repeated', async () => {
    const database = new FakeDatabase();
    const storage = database.storage();
    database.failure = new Error('no such database');
    await expect(storage.start()).rejects.toThrow('no such database');
    expect(database.closed).toBe(1);
    database.failure = null;
    await storage.start();
    await storage.ping();
  });

  it('refuses a database without migrations in the mode check, and closes it', async () => {
    const database = new FakeDatabase();
    const storage = database.storage({ migrations: 'check' });
    await expect(storage.start()).rejects.toMatchObject({ code: 'migrations_pending' });
    expect(database.closed).toBe(1);
  });

  it.each([
    [true, true],
    [false, false],
  ])('has a cluster if several processes share the database: %j', (shared, hasCluster) => {
    const { cluster, capabilities } = new FakeDatabase().storage({ shared });
    expect([cluster !== undefined, capabilities.shared]).toEqual([hasCluster, shared]);
  });
});

describe('SqlStorage.transaction', () => {
  it('commits when its work resolves, with the result', async () => {
    const { database, storage } = await started();
    expect(await storage.transaction(async (tx) => await tx.agents.get('acme', 'a'))).toBeNull();
    expect(kinds(database)).toEqual(['begin', 'select', 'commit']);
  });

  it('rolls back when its work rejects', async () => {
    const { database, storage } = await started();
    const work = storage.transaction(async (tx) => {
      await tx.agents.insert('acme', sampleAgent());
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(kinds(database)).toEqual(['begin', 'insert', 'rollback']);
  });

  it('rolls back when a verb failed whose error its work caught', async () => {
    const { database, storage } = await started();
    database.errors.push(new Error('the disk'));
    const work = storage.transaction(async (tx) => {
      await tx.agents.get('acme', 'a').catch(() => null);
      return 'went on';
    });
    await expect(work).rejects.toThrow('the disk');
    expect(kinds(database)).toEqual(['begin', 'select', 'rollback']);
  });

  it('is repeated as a whole after a conflict', async () => {
    const { database, storage } = await started();
    database.errors.push(Object.assign(new Error('conflict'), { code: '40001' }));
    let attempts = 0;
    const result = await storage.transaction(async (tx) => {
      attempts += 1;
      await tx.agents.get('acme', 'a');
      return attempts;
    });
    expect(result).toBe(2);
    expect(kinds(database)).toEqual(['begin', 'select', 'rollback', 'begin', 'select', 'commit']);
  });

  it('refuses the storage itself within its work, which would wait for another connection', async () => {
    const { storage } = await started();
    const nested = storage.transaction(async () => await storage.agents.get('acme', 'a'));
    await expect(nested).rejects.toMatchObject({ code: 'nested_transaction' });
    await storage.ping();
  });

  it('refuses its records after its end', async () => {
    const { storage } = await started();
    const tx = await storage.transaction(async (records) => records);
    await expect(tx.agents.get('acme', 'a')).rejects.toMatchObject({ code: 'transaction_over' });
  });

  it('converts an error of a constraint', async () => {
    const { database, storage } = await started();
    database.errors.push(Object.assign(new Error('duplicate'), { code: '23505', constraint: 'agents_pkey' }));
    const work = storage.transaction(async (tx) => await tx.agents.insert('acme', sampleAgent()));
    await expect(work).rejects.toMatchObject({ name: 'UniqueViolation', constraint: 'id' });
  });
});

describe('SqlStorage.sqlClient', () => {
  it('runs statements of the host in a transaction', async () => {
    const { database, storage } = await started();
    await storage.transaction(async (tx) => await storage.sqlClient?.(tx).query('insert into own_table'));
    expect(database.ran).toEqual(['begin', 'insert into own_table', 'commit']);
  });

  it('refuses records of no transaction', async () => {
    const { storage } = await started();
    const client = storage.sqlClient?.(storage);
    await expect(client?.query('select 1')).rejects.toMatchObject({ code: 'transaction_over' });
  });
});

describe('SqlStorage.migrations', () => {
  it('are planned for a database that does not exist, without creating it', async () => {
    const database = new FakeDatabase();
    const storage = database.storage({ exists: async () => false });
    const plan = await storage.migrations.plan();
    expect(plan.map(({ version }) => version)).toEqual([...plan.keys()].map((n) => (n < plan.length - 1 ? n + 1 : 12)));
    expect(plan.at(-1)?.name).toBe('job-queue');
    expect(database.opened).toBe(0);
  });

  it('are planned on a connection of their own, which is closed', async () => {
    const database = new FakeDatabase();
    const storage = database.storage();
    expect((await storage.migrations.plan()).length).toBeGreaterThan(1);
    expect([database.opened, database.closed]).toEqual([1, 1]);
  });
});
