import type { Result } from '../sql/connection.ts';
import { parserOf, toParameter } from '../sql/values.ts';

/** The part of a `pg` connection that a prepared query uses. */
export interface PgConnection {
  readonly stream: { cork(): void; uncork(): void };
  close(statement: { readonly type: 'S'; readonly name: string }): void;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(portal: { readonly statement: string; readonly values: readonly unknown[] }): void;
  describe(portal: { readonly type: 'P' }): void;
  execute(): void;
  sync(): void;
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** A statement to prepare under a name, with its values. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

type Callback = (error: Error | null, result?: Result) => void;

/**
 * State of a statement on one connection: the columns of its rows, or `doubtful` until its first use succeeds, because
 * the server keeps a statement whose execution failed.
 */
type Prepared = Columns | 'doubtful';

const preparedOn = new WeakMap<PgConnection, Map<string, Prepared>>();

/**
 * A statement that a connection of `pg` prepares and describes once. `pg`'s own queries describe the rows of a prepared
 * statement at each execution. The description stays valid: the server refuses a plan whose result type has changed.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 * @example client.query(new PreparedQuery({ name, text, values }, (error, result) => {}));
 */
export class PreparedQuery {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | Buffer | null)[];
  readonly callback: Callback;
  readonly #rows: Result['rows'][number][] = [];
  #rowCount = 0;
  #columns: Columns | null = null;
  #error: Error | null = null;

  /** @param callback gets the rows after the last one, or the error */
  constructor({ name, text, values }: NamedStatement, callback: Callback) {
    this.name = name;
    this.text = text;
    this.values = values.map(toParameter);
    this.callback = callback;
  }

  /** Called by `pg`, like all methods below. */
  submit(connection: PgConnection): null {
    let statements = preparedOn.get(connection);
    if (statements === undefined) {
      statements = new Map();
      preparedOn.set(connection, statements);
    }
    const { name, text } = this;
    const prepared = statements.get(name);
    connection.stream.cork();
    try {
      if (prepared === 'doubtful') connection.close({ type: 'S', name });
      if (prepared instanceof Columns) this.#columns = prepared;
      else {
        connection.parse({ name, text });
        statements.set(name, 'doubtful');
      }
      connection.bind({ statement: name, values: this.values });
      if (this.#columns === null) connection.describe({ type: 'P' });
      connection.execute();
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#columns = new Columns(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#error !== null) return;
    try {
      this.#rows.push((this.#columns ?? noColumns).toRow(fields));
    } catch (error) {
      this.#error = error as Error;
    }
  }

  handleCommandComplete({ text }: { readonly text: string }, connection: PgConnection): void {
    this.#columns ??= noColumns;
    preparedOn.get(connection)?.set(this.name, this.#columns);
    this.#rowCount = Number(/\d+$/.exec(text)?.[0] ?? 0);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    if (this.#error === null) this.callback(null, { rows: this.#rows, rowCount: this.#rowCount });
    else this.callback(this.#error);
  }
}

/** The columns of a statement's rows. */
class Columns {
  readonly #columns: readonly { readonly name: string; readonly parse: (text: string) => unknown }[];
  /** Copied for each row, so that all rows have one shape. */
  readonly #empty: Readonly<Record<string, unknown>>;

  constructor(fields: RowDescription['fields']) {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
    this.#empty = Object.fromEntries(fields.map(({ name }) => [name, null]));
  }

  toRow(values: readonly (string | null)[]): Record<string, unknown> {
    const row = { ...this.#empty };
    let n = 0;
    for (const { name, parse } of this.#columns) {
      const value = values[n] ?? null;
      if (value !== null) row[name] = parse(value);
      n += 1;
    }
    return row;
  }
}

const noColumns = new Columns([]);
