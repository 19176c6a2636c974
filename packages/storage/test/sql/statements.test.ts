import { type RawBuilder, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Compilable, queryBuilder } from '../../src/sql/database.ts';
import { PreparedNames } from '../../src/sql/prepared-names.ts';
import { Statements, slot } from '../../src/sql/statements.ts';

const db = queryBuilder('va');
const select = (value: RawBuilder<unknown>): Compilable => {
  const query = sql`select ${value}`;
  return { compile: () => query.compile(db) };
};

describe('Statements', () => {
  it('reads the values of each execution from its input', () => {
    const statements = new Statements(new PreparedNames('test', 0));
    const statement = statements.get('one', () => select(slot<{ n: number }>(({ n }) => n)), true);
    expect([statement.text, statement.values({ n: 1 }), statement.values({ n: 2 })]).toEqual(['select $1', [1], [2]]);
  });

  it('compiles a statement once for its shape', () => {
    const statements = new Statements(new PreparedNames('test', 0));
    let builds = 0;
    const build = (): Compilable => {
      builds += 1;
      return select(slot(() => builds));
    };
    const first = statements.get('one', build, true);
    expect(statements.get('one', build, true)).toBe(first);
    expect(builds).toBe(1);
  });

  it('drops the least recently used of more than 512 statements', () => {
    const statements = new Statements(new PreparedNames('test', 0));
    const built: string[] = [];
    const use = (shape: string): void => {
      statements.get(
        shape,
        () => {
          built.push(shape);
          return select(slot(() => shape));
        },
        true,
      );
    };
    for (let n = 0; n < 512; n += 1) use(`shape ${n}`);
    use('shape 0');
    use('one more');
    built.length = 0;
    use('shape 0');
    use('shape 1');
    expect(built).toEqual(['shape 1']);
  });

  it('refuses a statement that contains a value of its first execution', () => {
    const statements = new Statements(new PreparedNames('test', 0));
    expect(() => statements.get('one', () => select(sql`${5}`), true)).toThrow('expected a slot() or sql.lit()');
  });

  it('names only statements whose plan serves all values', () => {
    const statements = new Statements(new PreparedNames('test', 9));
    const named = statements.get('one', () => select(slot(() => 1)), true);
    const unnamed = statements.get('other', () => select(sql`2, ${slot(() => 1)}`), false);
    const names = [named, unnamed, named, unnamed].map((statement) => statements.nameOf(statement));
    expect(names).toEqual([undefined, undefined, expect.stringMatching(/^test_0_[\da-f]{24}$/), undefined]);
  });
});

describe('PreparedNames', () => {
  it('names a text on its second use, and keeps the name', () => {
    const names = new PreparedNames('va', 2);
    expect(names.of('a')).toBeUndefined();
    const name = names.of('a');
    expect(name).toMatch(/^va_0_/);
    expect(names.of('a')).toBe(name);
  });

  it('names no more texts than its limit', () => {
    const names = new PreparedNames('va', 2);
    const named = ['a', 'b', 'c'].filter((text) => names.of(text) ?? names.of(text));
    expect(named).toEqual(['a', 'b']);
    expect(names.of('a')).toBeDefined();
  });

  it('names nothing with a limit of 0', () => {
    const names = new PreparedNames('va', 0);
    expect([names.of('a'), names.of('a'), names.of('a')]).toEqual([undefined, undefined, undefined]);
  });

  it('forgets texts that were used once when there are too many of them', () => {
    const names = new PreparedNames('va', 1);
    for (const text of ['a', 'b', 'c']) names.of(text);
    expect(names.of('a')).toBeUndefined();
    expect(names.of('c')).toMatch(/^va_0_/);
  });

  it('gives other names after a reset', () => {
    const names = new PreparedNames('va', 1);
    names.of('a');
    const before = names.of('a');
    names.reset();
    expect(names.of('a')).toBeUndefined();
    expect(names.of('a')).toMatch(/^va_1_/);
    expect(names.of('a')).not.toBe(before);
  });
});
