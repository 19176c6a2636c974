import { collectionSchemas, ReferenceViolation, UniqueViolation } from '@va/core/adapter';

/** Converts the database's constraint errors to violations of the collections; returns other errors unchanged. */
export function toViolation(error: unknown): unknown {
  const { code, constraint } = error as { code?: unknown; constraint?: string };
  if (constraint === undefined) return error;
  if (code === '23505') return new UniqueViolation(uniqueNames.get(constraint) ?? 'id', { cause: error });
  if (code === '23503') return new ReferenceViolation(fieldNames.get(constraint) ?? constraint, { cause: error });
  return error;
}

/** Names of unique constraints in the collections' definitions, by their names in the database. */
const uniqueNames: ReadonlyMap<string, string> = new Map(
  collectionSchemas.flatMap(({ table, unique }) =>
    unique.map(({ name }) => [`${table}_${name}_key`, name] as [string, string]),
  ),
);

const fieldNames: ReadonlyMap<string, string> = new Map(
  collectionSchemas.flatMap(({ table, references }) =>
    references.map(({ field }) => [`${table}_${field}_fkey`, field] as [string, string]),
  ),
);
