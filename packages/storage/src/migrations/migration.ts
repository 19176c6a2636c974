import { createHash } from 'node:crypto';

/** One step of the schema. A released migration never changes: its checksum is compared with the applied one. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** SQL statements. `{schema}` stands for the quoted name of the service's schema. */
  readonly statements: readonly string[];
}

/** Returns the SHA-256 of the statements, in hexadecimal. */
export function checksum(migration: Migration): string {
  return createHash('sha256').update(migration.statements.join(';\n')).digest('hex');
}
