import { collectionSchemas, ReferenceViolation, UniqueViolation } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { PreparedNames } from '../../src/sql/prepared-names.ts';
import { retrying } from '../../src/sql/retries.ts';
import { Statements } from '../../src/sql/statements.ts';
import { toViolation } from '../../src/sql/violations.ts';

const failure = (fields: object): Error => Object.assign(new Error('refused'), fields);

describe('toViolation', () => {
  const cases = collectionSchemas.flatMap(({ table, unique, references }) => [
    ...unique.map(({ name }) => ['23505', `${table}_${name}_key`, { constraint: name }] as const),
    ...references.map(({ field }) => ['23503', `${table}_${field}_fkey`, { field }] as const),
  ]);

  it.each([...cases, ['23505', 'agents_pkey', { constraint: 'id' }] as const])(
    'converts the error %s of %s',
    (code, constraint, named) => {
      const cause = failure({ code, constraint });
      const violation = toViolation(cause);
      expect(violation).toBeInstanceOf(code === '23505' ? UniqueViolation : ReferenceViolation);
      expect(violation).toMatchObject({ ...named, cause });
    },
  );

  it.each([
    ['another code', { code: '23514', constraint: 'calls_check' }],
    ['no constraint', { code: '23505' }],
    ['no code', {}],
  ])('returns an error with %s unchanged', (_name, fields) => {
    const error = failure(fields);
    expect(toViolation(error)).toBe(error);
  });
});

describe('retrying', () => {
  const statements = (): Statements & { renamed: number } => {
    const counted = Object.assign(new Statements(new PreparedNames('test', 1)), { renamed: 0 });
    counted.renameAll = () => {
      counted.renamed += 1;
    };
    return counted;
  };

  it.each([
    ['a serialization failure', { code: '40001' }, 0],
    ['a deadlock', { code: '40P01' }, 0],
    ['a plan of an earlier schema', { code: '0A000', routine: 'RevalidateCachedQuery' }, 1],
    ['a forgotten statement', { code: '26000' }, 1],
  ])('repeats work after %s', async (_name, fields, renamed) => {
    const all = statements();
    let attempts = 0;
    const result = await retrying(all, async () => {
      attempts += 1;
      if (attempts === 1) throw failure(fields);
      return 'done';
    });
    expect([result, attempts, all.renamed]).toEqual(['done', 2, renamed]);
  });

  it('gives up after five attempts, with the last error', async () => {
    let attempts = 0;
    const working = retrying(statements(), async () => {
      attempts += 1;
      throw failure({ code: '40001', attempts });
    });
    await expect(working).rejects.toMatchObject({ attempts: 5 });
  });

  it.each([
    ['a constraint', { code: '23505' }],
    ['an unsupported feature', { code: '0A000', routine: 'transformStmt' }],
    ['a lost connection', {}],
  ])('does not repeat work after an error of %s', async (_name, fields) => {
    let attempts = 0;
    const working = retrying(statements(), async () => {
      attempts += 1;
      throw failure(fields);
    });
    await expect(working).rejects.toThrow('refused');
    expect(attempts).toBe(1);
  });
});
