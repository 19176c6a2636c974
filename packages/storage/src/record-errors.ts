import { type CollectionSchema, VaError } from '@va/core/adapter';

/**
 * Returns the error for a condition that a collection cannot evaluate. It is thrown, because ignoring the condition
 * would match more records.
 */
export function invalidCondition(schema: CollectionSchema, name: string, condition: unknown): TypeError {
  const field = schema.fields.find((each) => each.name === name);
  if (field === undefined) return new TypeError(`The records of ${schema.name} have no field ${name}.`);
  const subject = `The condition on ${name} of ${schema.name}`;
  if (condition === undefined) {
    return new TypeError(`${subject} is undefined. Leave it out, or pass null to match records without a value.`);
  }
  if (field.kind === 'json' && !schema.searched.includes(name)) {
    return new TypeError(`${subject} cannot be evaluated: the field holds JSON. Filter by a field of another kind.`);
  }
  const searched = schema.searched.length === 0 ? 'none' : schema.searched.join(', ');
  return new TypeError(
    `${subject} cannot be evaluated: expected { words } for searched texts (here: ${searched}), and a value, ` +
      '{ in }, { gte } or { lt } for all others.',
  );
}

/** Returns the error for the record of an organization that was to be stored under the id of another organization. */
export function foreignOwner(schema: CollectionSchema, recordId: string, orgId: string): VaError {
  return new VaError(
    'foreign_owner',
    `A record of ${schema.name} belongs to the organization of the same id: expected ${recordId}, got ${orgId}.`,
  );
}
