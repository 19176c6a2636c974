import { createHash } from 'node:crypto';

/** One step of the schema. Once released it never changes: the checksum of what was applied is compared. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** SQL, a statement each. `{schema}` stands for the quoted name of the service's schema. */
  readonly statements: readonly string[];
}

export function checksum(migration: Migration): string {
  return createHash('sha256').update(migration.statements.join(';\n')).digest('hex');
}
