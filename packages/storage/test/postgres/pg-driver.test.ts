import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { PgDriver, type PgPool } from '../../src/postgres/pg-driver.ts';

interface AskedQuery {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string | undefined;
  readonly types: { getTypeParser(oid: number): (text: string) => unknown };
}

type Answer = (query: AskedQuery) => unknown;
const none = { rows: [], rowCount: null };

/** A connection of the pool, in the way of `pg-native`: it takes queries as plain objects. */
class FakeClient extends EventEmitter {
  readonly asked: AskedQuery[] = [];
  readonly released: (boolean | undefined)[] = [];
  readonly #answer: Answer;

  constructor(answer: Answer) {
    super();
    this.#answer = answer;
  }

  async query(query: AskedQuery): Promise<unknown> {
    this.asked.push(query);
    return this.#answer(query);
  }

  release(destroy?: boolean): void {
    this.released.push(destroy);
  }

  get texts(): string[] {
    return this.asked.map(({ text }) => text);
  }
}

/** A driver on a pool of one connection. */
function setUp(answer: Answer = () => none) {
  const client = new FakeClient(answer);
  const direct: AskedQuery[] = [];
  const pool = Object.assign(new EventEmitter(), {
    connect: async () => client,
    query: async (query: AskedQuery) => {
      direct.push(query);
      return answer(query);
    },
  });
  let ended = 0;
  const end = async (): Promise<void> => {
    ended += 1;
  };
  const open = (): PgDriver => new PgDriver(pool as unknown as PgPool, end);
  return { client, direct, pool, driver: open(), open, ended: () => ended };
}

const failing =
  (failed: string, fields: object = { severity: 'ERROR' }): Answer =>
  ({ text }) => {
    if (text === failed) throw Object.assign(new Error(`failed: ${text}`), fields);
    return none;
  };

describe('a statement of PgDriver', () => {
  it('without a name is run by the pool, with parsers of its own', async () => {
    const { driver, direct } = setUp(() => ({ rows: [{ n: 1 }], rowCount: 1 }));
    expect(await driver.query('select 1', ['a'])).toEqual({ rows: [{ n: 1 }], rowCount: 1 });
    expect(direct).toMatchObject([{ text: 'select 1', values: ['a'], name: undefined }]);
    expect(direct[0]?.types.getTypeParser(1184)('2026-05-01 12:00:00+00')).toBe('2026-05-01T12:00:00.000Z');
  });

  it('returns a count of 0 rows if the server returns none', async () => {
    expect(await setUp().driver.query('set x', [])).toEqual({ rows: [], rowCount: 0 });
  });

  it('with a name is run on a connection, which is returned', async () => {
    const { driver, client } = setUp();
    await driver.query('select 1', ['a'], 'one');
    expect(client.asked).toMatchObject([{ text: 'select 1', values: ['a'], name: 'one' }]);
    expect(client.released).toEqual([false]);
  });

  it.each([
    ['keeps its connection after an error of the server', { severity: 'ERROR' }, false],
    ['loses it after a fatal one', { severity: 'FATAL' }, true],
    ['loses it when the network fails', {}, true],
  ])('%s', async (_, fields, isDestroyed) => {
    const { driver, client } = setUp(failing('select 1', fields));
    await expect(driver.query('select 1', [], 'one')).rejects.toThrow('failed: select 1');
    expect(client.released).toEqual([isDestroyed]);
  });
});

describe('a named statement on a connection of pg', () => {
  const rows = [{ n: 1 }];

  /** Runs a statement on a connection that answers by the callback of a query, as pg's own do. */
  async function run(changes: object, error: Error | null = null) {
    const { client, driver } = setUp(() => ({ rows, rowCount: 1 }));
    const prepared: string[] = [];
    const plain = client.query.bind(client);
    Object.assign(client, changes, {
      query: (query: AskedQuery & { readonly callback?: (error: Error | null, result?: unknown) => void }) => {
        if (query.callback === undefined) return plain(query);
        prepared.push(String(query.name));
        query.callback(error, error === null ? { rows, rowCount: 1 } : undefined);
        return query;
      },
    });
    const result = await driver.query('select 1', [], 'one').catch((thrown: unknown) => thrown);
    return { result, prepared, asked: client.texts, released: client.released };
  }

  it('is sent as a PreparedQuery', async () => {
    expect(await run({ connection: {} })).toEqual({
      result: { rows, rowCount: 1 },
      prepared: ['one'],
      asked: [],
      released: [false],
    });
  });

  it('is sent as a plain query of pg in pipeline mode, which accepts no others', async () => {
    expect(await run({ connection: {}, pipeline: true })).toMatchObject({ prepared: [], asked: ['select 1'] });
  });

  it('throws the error of the server, with the stack of its caller', async () => {
    const error = Object.assign(new Error('no such table'), { severity: 'ERROR', stack: 'of the socket' });
    const { result, released } = await run({ connection: {} }, error);
    expect(result).toBe(error);
    expect(error.stack).toContain('pg-driver');
    expect(released).toEqual([false]);
  });
});

describe('a transaction of PgDriver', () => {
  it('runs on one connection, and commits', async () => {
    const { driver, client, direct } = setUp();
    const result = await driver.transaction(async (connection) => {
      await connection.query('insert a', [1]);
      await connection.query('insert b', [2], 'b');
      return 'done';
    });
    expect(result).toBe('done');
    expect(client.texts).toEqual(['begin', 'insert a', 'insert b', 'commit']);
    expect(client.asked[2]).toMatchObject({ name: 'b', values: [2] });
    expect([client.released, direct]).toEqual([[false], []]);
  });

  it('rolls back when its work fails, and throws the error', async () => {
    const { driver, client } = setUp();
    const failed = new Error('no');
    await expect(driver.transaction(() => Promise.reject(failed))).rejects.toBe(failed);
    expect([client.texts, client.released]).toEqual([['begin', 'rollback'], [false]]);
  });

  it('rolls back when it cannot be committed', async () => {
    const { driver, client } = setUp(failing('commit'));
    await expect(driver.transaction(async () => 'done')).rejects.toThrow('failed: commit');
    expect(client.texts).toEqual(['begin', 'commit', 'rollback']);
  });

  it('closes a connection that cannot be rolled back, and throws the first error', async () => {
    const { driver, client } = setUp(failing('rollback'));
    await expect(driver.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(client.released).toEqual([true]);
  });
});

describe('a script of PgDriver', () => {
  it('returns the rows of all of its statements', async () => {
    const { driver, client } = setUp(() => [none, { rows: [{ a: 1 }] }, { rows: [{ b: 2 }, { b: 3 }] }]);
    expect(await driver.script('begin; …; commit')).toEqual([{ a: 1 }, { b: 2 }, { b: 3 }]);
    expect(client.released).toEqual([false]);
    expect(await setUp(() => ({ rows: [{ a: 1 }] })).driver.script('select 1')).toEqual([{ a: 1 }]);
  });

  it('closes its connection when it failed, because its transaction may still be open', async () => {
    const { driver, client } = setUp(failing('begin; …'));
    await expect(driver.script('begin; …')).rejects.toThrow('failed');
    expect(client.released).toEqual([true]);
  });
});

describe('a session of notifications of PgDriver', () => {
  async function listening(channel = 'va', answer?: Answer) {
    const made = setUp(answer);
    const payloads: string[] = [];
    let broken = 0;
    const on = {
      payload: (text: string) => payloads.push(text),
      broken: () => {
        broken += 1;
      },
    };
    const session = await made.driver.listen(channel, on);
    return { ...made, session, payloads, broken: () => broken };
  }

  it('receives the payloads of its channel', async () => {
    const { client, payloads } = await listening();
    client.emit('notification', { channel: 'va', payload: 'a' });
    client.emit('notification', { channel: 'other', payload: 'b' });
    client.emit('notification', { channel: 'va' });
    expect(payloads).toEqual(['a', '']);
  });

  it('quotes the name of its channel', async () => {
    expect((await listening('a"b')).client.texts).toEqual(['listen "a""b"']);
  });

  it('can be checked', async () => {
    const { client, session } = await listening();
    await session.check();
    expect(client.texts.at(-1)).toBe('select 1');
    const failed = await listening('va', failing('select 1'));
    await expect(failed.session.check()).rejects.toThrow('failed: select 1');
  });

  it('closes its connection, which would go on listening, and receives nothing more', async () => {
    const { client, session, payloads, broken } = await listening();
    session.close();
    session.close();
    client.emit('notification', { channel: 'va', payload: 'a' });
    client.emit('end');
    client.emit('error', new Error('late'));
    expect([client.released, payloads, broken()]).toEqual([[true], [], 0]);
  });

  it.each(['end', 'error'])('reports once that its connection has broken: %s', async (event) => {
    const { client, session, broken } = await listening();
    client.emit(event, new Error('reset'));
    client.emit('error', new Error('again'));
    client.emit('end');
    session.close();
    expect([client.released, broken()]).toEqual([[true], 1]);
  });

  it('closes its connection when it cannot listen', async () => {
    const { client, driver } = setUp(failing('listen "va"'));
    const on = { payload: () => {}, broken: () => expect.fail('It has not begun.') };
    await expect(driver.listen('va', on)).rejects.toThrow('failed: listen');
    expect(client.released).toEqual([true]);
  });
});

describe('PgDriver', () => {
  it('survives connections of the pool that break while nobody uses them', () => {
    const { pool, client, open } = setUp();
    open();
    expect([pool.listenerCount('error'), pool.listenerCount('acquire')]).toEqual([1, 1]);
    pool.emit('error', new Error('reset'));
    for (let n = 0; n < 3; n += 1) pool.emit('acquire', client);
    expect(client.listenerCount('error')).toBe(1);
    client.emit('error', new Error('reset'));
  });

  it('ends the pool if it owns it', async () => {
    const { driver, ended } = setUp();
    await driver.close();
    expect(ended()).toBe(1);
  });
});
