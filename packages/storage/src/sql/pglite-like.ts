/** The part of PGlite that pg-boss's adapter uses. */
export interface PGliteLike {
  query<T>(query: string, params?: unknown[]): Promise<{ rows: T[] }>;
  exec(query: string): Promise<{ rows: unknown[] }[]>;
}
