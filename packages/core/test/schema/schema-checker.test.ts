import { VirtualClock } from '@va/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/clock/system-clock.ts';
import { SchemaChecker } from '../../src/schema/schema-checker.ts';
import type { SchemaResult, SchemaTask } from '../../src/schema/schema-task.ts';

const draft7 = 'http://json-schema.org/draft-07/schema#';
const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: 'object',
  properties,
  ...more,
});

/** Returns a schema in which each definition refers to the next one twice, so that a check takes 2^depth steps. */
function doubling(depth: number): Record<string, unknown> {
  const definitions: Record<string, unknown> = { [`d${depth}`]: {} };
  for (let n = 0; n < depth; n += 1) {
    const $ref = `#/definitions/d${n + 1}`;
    definitions[`d${n}`] = { allOf: [{ $ref }, { $ref }] };
  }
  return object({}, { definitions, allOf: [{ $ref: '#/definitions/d0' }] });
}

/** A clock whose deadlines pass on request. It waits for threads. */
class DeadlineClock extends VirtualClock {
  afterInput(run: () => void): void {
    setImmediate(run);
  }
}

/** Deadline of one check. */
const deadlineMs = 2_000;
/** Processor time after which the thread is surely within the check: more than any other step of a task takes. */
const busyMs = 300;

/** Resolves when this process, whose main thread waits, has used `busyMs` of processor time, or the work has ended. */
async function busyOrOver(work: Promise<unknown>): Promise<void> {
  const before = process.cpuUsage();
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  work.then(end, end);
  await vi.waitUntil(() => {
    const { user, system } = process.cpuUsage(before);
    return isOver || user + system > busyMs * 1_000;
  });
}

describe('SchemaChecker in a worker thread', () => {
  const clock = new DeadlineClock();
  let schemas: SchemaChecker;

  beforeAll(() => {
    schemas = new SchemaChecker(clock);
  });

  afterAll(async () => {
    await schemas.close();
  });

  it('reports the faults of an invalid schema, and none for a valid one', async () => {
    expect(await schemas.faultsOf('a', object({ name: { type: 'string' } }), 'schema')).toEqual([]);
    expect(await schemas.faultsOf('a', object({ name: { type: 'text' } }), 'schema')).toContainEqual(
      expect.objectContaining({ path: 'schema.properties.name.type' }),
    );
    expect(await schemas.faultsOf('a', { type: 'array' }, 'schema')).toEqual([
      { path: 'schema.type', code: 'invalid_field', message: 'expected "object"' },
    ]);
  });

  it('rejects an unresolvable reference and an invalid regular expression', async () => {
    expect(await schemas.faultsOf('a', object({ a: { $ref: '#/$defs/none' } }), 's')).toHaveLength(1);
    expect(await schemas.faultsOf('a', object({ a: { pattern: '(' } }), 's')).toHaveLength(1);
  });

  it('reports the paths at which a value does not match', async () => {
    const schema = object({ age: { type: 'integer' } }, { required: ['age'] });
    expect(await schemas.check('a', schema, { age: 3 })).toEqual([]);
    expect(await schemas.check('a', schema, { age: 'x' })).toEqual(['/age must be integer']);
    expect(await schemas.check('a', schema, {})).toEqual(["the object must have required property 'age'"]);
  });

  it.each([
    ['nested references', doubling(45), {}],
    ['a pattern that backtracks', object({ a: { type: 'string', pattern: '^(a+)+$' } }), { a: `${'a'.repeat(40)}!` }],
  ])('aborts a check of %s at its deadline, and runs the next one', async (_, schema, value) => {
    // The thread is ready.
    expect(await schemas.check('b', object({}), {})).toEqual([]);
    const outcome = schemas.check('a', schema, value).catch((thrown: unknown) => thrown);
    await busyOrOver(outcome);
    await clock.advance(deadlineMs - 1);
    expect(await Promise.race([outcome, 'running'])).toBe('running');
    await clock.advance(1);
    expect(await outcome).toMatchObject({ code: 'schema_too_slow' });
    expect(await schemas.check('b', object({}), {})).toEqual([]);
  });

  it('does not block the event loop during a slow check', async () => {
    expect(await schemas.check('b', object({}), {})).toEqual([]);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const checking = schemas.check('a', doubling(45), {}).catch(() => {});
    await new Promise<void>((resolve) => {
      const look = setInterval(() => {
        if (turns < 20) return;
        clearInterval(look);
        resolve();
      }, 1);
    });
    // The check is still running after twenty timers have fired.
    expect(await Promise.race([checking.then(() => 'ended'), Promise.resolve('running')])).toBe('running');
    await clock.advance(deadlineMs);
    await checking;
    clearInterval(timer);
  });

  it('aborts the validation of an enum that takes quadratic time', async () => {
    const members = Array.from({ length: 6_000 }, (_, n) => ({ n }));
    const schema = object({ a: { enum: members } }, { $schema: draft7 });
    expect(await schemas.faultsOf('b', object({}), 'schema')).toEqual([]);
    const judging = schemas.faultsOf('a', schema, 'schema');
    await busyOrOver(judging);
    await clock.advance(deadlineMs);
    expect((await judging).length).toBeLessThanOrEqual(1);
    expect(await schemas.faultsOf('b', object({}), 'schema')).toEqual([]);
  });
});

describe('schema limits', () => {
  const schemas = new SchemaChecker(systemClock, {
    run: async () => ({ type: 'valid' }),
    close: async () => {},
  });

  const nested = (depth: number): Record<string, unknown> => {
    let inner: Record<string, unknown> = {};
    for (let n = 0; n < depth; n += 1) inner = { not: inner };
    return object({ inner });
  };

  it.each([
    ['a reference to another document', object({ a: { $ref: 'https://elsewhere.example/schema' } }), 'reference'],
    ['100,000 levels', nested(100_000), 'levels deep'],
    ['101 references', object(Object.fromEntries([...Array(101).keys()].map((n) => [n, { $ref: '#' }]))), 'references'],
    ['101 patterns', object(Object.fromEntries([...Array(101).keys()].map((n) => [n, { pattern: 'a' }]))), 'patterns'],
    [
      '101 pattern properties',
      object(
        {},
        {
          patternProperties: Object.fromEntries([...Array(101).keys()].map((n) => [`^${n}`, {}])),
        },
      ),
      'patterns',
    ],
    ['a long pattern', object({ a: { pattern: 'a'.repeat(1_001) } }), '1000 characters'],
    ['100,001 characters', object({ a: { const: 'x'.repeat(100_001) } }), '100000 characters'],
  ])('reject a schema with %s before compilation', async (_, schema, message) => {
    expect(await schemas.faultsOf('a', schema, 'schema')).toEqual([
      { path: 'schema', code: 'invalid_field', message: expect.stringContaining(message) },
    ]);
    await expect(schemas.check('a', schema, {})).rejects.toMatchObject({ code: 'invalid_schema' });
  });
});

describe('fairness between organizations', () => {
  it('alternates between organizations, and rejects the ninth waiting check of one with 429', async () => {
    const order: string[] = [];
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const run = async (task: SchemaTask): Promise<SchemaResult> => {
      await gate;
      order.push(String(task.schema.title));
      return { type: 'valid' };
    };
    const schemas = new SchemaChecker(systemClock, { run, close: async () => {} });
    const send = (orgId: string): Promise<unknown> =>
      schemas.check(orgId, object({}, { title: orgId }), {}).catch((thrown: unknown) => thrown);
    // One of these runs at once, and eight wait.
    const greedy = Array.from({ length: 9 }, () => send('greedy'));
    const other = send('other');
    expect(await send('greedy')).toMatchObject({ status: 429, code: 'rate_limited' });
    release();
    await Promise.all([...greedy, other]);
    expect(order.indexOf('other')).toBeLessThanOrEqual(2);
    expect(order).toHaveLength(10);
  });
});
