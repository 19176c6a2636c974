import { initialTables } from './0001-initial-tables.ts';
import type { Migration } from './migration.ts';

/** The schema's history, in order. */
export const migrations: readonly Migration[] = [initialTables];
