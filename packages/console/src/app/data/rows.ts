interface Row {
  readonly id: string;
}

/** Returns a change that removes the record with an id from a list. */
export function withoutRow<T extends Row>(id: string): (rows: readonly T[]) => T[] {
  return (rows) => rows.filter((row) => row.id !== id);
}

/** Returns a change of fields of the record with an id. */
export function withFields<T extends Row>(id: string, fields: Partial<T>): (rows: readonly T[]) => T[] {
  return (rows) => rows.map((row) => (row.id === id ? { ...row, ...fields } : row));
}
