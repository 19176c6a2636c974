import { type RawBuilder, sql } from 'kysely';
import type { Compilable } from './database.ts';
import type { PreparedNames } from './prepared-names.ts';

/** Placeholder for a value that each execution of a statement reads from its input. */
class Slot<I> {
  readonly read: (input: I) => unknown;

  constructor(read: (input: I) => unknown) {
    this.read = read;
  }
}

/** Returns a placeholder of type `V` for a value that each execution reads from its input. */
export function slot<I, V = unknown>(read: (input: I) => V): RawBuilder<V> {
  return sql<V>`${new Slot(read)}`;
}

/** A compiled statement with placeholders. */
class Statement<I> {
  readonly text: string;
  /** True when a plan made without knowing the values serves as well as one made with them. */
  readonly isPlannedOnce: boolean;
  readonly #slots: readonly Slot<I>[];

  constructor(query: Compilable, isPlannedOnce: boolean) {
    this.isPlannedOnce = isPlannedOnce;
    const { sql: text, parameters } = query.compile();
    this.text = text;
    if (!parameters.every((each) => each instanceof Slot)) {
      throw new Error(`A compiled statement contains a value: expected a slot() or sql.lit(): ${text}`);
    }
    this.#slots = parameters as readonly Slot<I>[];
  }

  values(input: I): unknown[] {
    return this.#slots.map(({ read }) => read(input));
  }
}

const maxStatements = 512;

/**
 * Statements of a storage, compiled once per shape. Compiling takes Kysely 25 to 90 µs, a tenth to a third of the whole
 * cost of a REST request. Shapes can depend on requests (such as the keys that a PATCH changes), so the least recently
 * used are dropped.
 */
export class Statements {
  readonly #byShape = new Map<string, Statement<never>>();
  readonly #names: PreparedNames;

  constructor(names: PreparedNames) {
    this.#names = names;
  }

  /** @param shape everything that the text and the type of the input depend on */
  get<I>(shape: string, build: () => Compilable, isPlannedOnce: boolean): Statement<I> {
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

  /** Returns the name to prepare a statement under, or undefined when it is not to be prepared. */
  nameOf({ text, isPlannedOnce }: Statement<never>): string | undefined {
    return isPlannedOnce ? this.#names.of(text) : undefined;
  }

  /** Prepares all statements again. Needed after a schema change, because the server refuses the plans made before. */
  renameAll(): void {
    this.#names.reset();
  }

  #moveToEnd(shape: string, statement: Statement<never>): void {
    this.#byShape.delete(shape);
    this.#byShape.set(shape, statement);
  }
}
