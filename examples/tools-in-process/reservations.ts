import { PGlite } from '@electric-sql/pglite';

/** A table that is booked for an evening. */
export interface BookedTable {
  readonly number: number;
  readonly day: string;
}

/** The application's own database, which the service knows nothing of. */
export class Reservations {
  readonly #database: PGlite;

  /** @param dir folder of the database; in memory by default */
  static async open(dir?: string): Promise<Reservations> {
    const database = await PGlite.create(dir);
    await database.exec(`
      CREATE TABLE IF NOT EXISTS tables (number int PRIMARY KEY, seats int NOT NULL);
      CREATE TABLE IF NOT EXISTS reservations (
        request text PRIMARY KEY, number int NOT NULL REFERENCES tables, day date NOT NULL, name text NOT NULL,
        phone text, UNIQUE (number, day));
      INSERT INTO tables VALUES (1, 2), (2, 2), (3, 4), (4, 8) ON CONFLICT DO NOTHING;
    `);
    return new Reservations(database);
  }

  private constructor(database: PGlite) {
    this.#database = database;
  }

  /** Books the smallest free table; null if there is none. A repeated request gets the table that it has. */
  async book(wanted: {
    readonly request: string;
    readonly people: number;
    readonly day: string;
    readonly name: string;
    readonly phone: string | null;
  }): Promise<BookedTable | null> {
    const { request, people, day, name, phone } = wanted;
    return await this.#database.transaction(async (sql) => {
      await sql.query(
        `INSERT INTO reservations SELECT $1, number, $3, $4, $5 FROM tables
         WHERE seats >= $2 AND number NOT IN (SELECT number FROM reservations WHERE day = $3)
         ORDER BY seats, number LIMIT 1 ON CONFLICT (request) DO NOTHING`,
        [request, people, day, name, phone],
      );
      const booked = 'SELECT number, day::text FROM reservations WHERE request = $1';
      return (await sql.query<BookedTable>(booked, [request])).rows[0] ?? null;
    });
  }

  async all(): Promise<readonly Record<string, unknown>[]> {
    const query = 'SELECT number, day::text, name, phone FROM reservations ORDER BY day, number';
    return (await this.#database.query<Record<string, unknown>>(query)).rows;
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}
