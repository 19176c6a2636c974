interface IdentifiedRow {
  readonly id: string;
}

/** Returns a change that removes the record with this id from a list. */
export function withoutRow<T extends IdentifiedRow>(id: string): (rows: readonly T[]) => T[] {
  return (rows) => rows.filter((row) => row.id !== id);
}

/** Returns a change that sets fields of the record with this id. */
export function withFields<T extends IdentifiedRow>(id: string, fields: Partial<T>): (rows: readonly T[]) => T[] {
  return (rows) => rows.map((row) => (row.id === id ? { ...row, ...fields } : row));
}
