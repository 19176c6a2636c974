import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { PreparedNames } from './prepared-names.ts';

/** Compiles; it has no connection. */
const compiler = new Kysely<Record<string, never>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Stands in a statement where a value of its input goes. */
class Slot<I> {
  readonly read: (input: I) => unknown;

  constructor(read: (input: I) => unknown) {
    this.read = read;
  }
}

/** Where a value goes that each run of a statement reads from its input. */
export function slot<I>(read: (input: I) => unknown): RawBuilder<unknown> {
  return sql`${new Slot(read)}`;
}

export function and(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);
}

export class Statement<I> {
  readonly text: string;
  /** Whether a plan that knows no values serves it as well as one that does. */
  readonly isPlannedOnce: boolean;
  readonly #slots: readonly Slot<I>[];

  constructor(fragment: RawBuilder<unknown>, isPlannedOnce: boolean) {
    this.isPlannedOnce = isPlannedOnce;
    const { sql: text, parameters } = fragment.compile(compiler);
    this.text = text;
    this.#slots = parameters as readonly Slot<I>[];
  }

  values(input: I): unknown[] {
    return this.#slots.map(({ read }) => read(input));
  }
}

const maxStatements = 512;

/**
 * The statements of a storage, made once for each shape they can have. Shapes come from requests too (which keys a PATCH
 * changes, say), so that both this memory and what the server keeps for each connection are bounded: a statement gets its
 * name when it is used again, while there are names left.
 */
export class Statements {
  readonly #byShape = new Map<string, Statement<never>>();
  readonly #names: PreparedNames;

  constructor(names: PreparedNames) {
    this.#names = names;
  }

  /** The shape tells everything that the text depends on, and the type of the input. */
  get<I>(shape: string, build: () => RawBuilder<unknown>, isPlannedOnce: boolean): Statement<I> {
    const known = this.#byShape.get(shape) as Statement<I> | undefined;
    if (known !== undefined) {
      if (this.#byShape.size > maxStatements / 2) this.#moveToEnd(shape, known);
      return known;
    }
    const statement = new Statement<I>(build(), isPlannedOnce);
    this.#byShape.set(shape, statement);
    const [oldest] = this.#byShape.keys();
    if (this.#byShape.size > maxStatements && oldest !== undefined) this.#byShape.delete(oldest);
    return statement;
  }

  nameOf({ text, isPlannedOnce }: Statement<never>): string | undefined {
    return isPlannedOnce ? this.#names.of(text) : undefined;
  }

  /** After a change of the schema: the server refuses the plans that it made before. */
  renameAll(): void {
    this.#names.reset();
  }

  #moveToEnd(shape: string, statement: Statement<never>): void {
    this.#byShape.delete(shape);
    this.#byShape.set(shape, statement);
  }
}
