import assert from 'node:assert/strict';
import { ReferenceViolation, UniqueViolation } from '@va/core/adapter';

/** Returns the error that the work was rejected with. */
export async function rejection(work: Promise<unknown>, message: string): Promise<unknown> {
  return await work.then(
    () => assert.fail(`${message}: it was not refused`),
    (error: unknown) => error,
  );
}

/** Asserts that `work` rejects with a `UniqueViolation` of the constraint. */
export async function assertUniqueViolation(
  work: Promise<unknown>,
  constraint: string,
  message: string,
): Promise<void> {
  const error = await rejection(work, message);
  assert.ok(error instanceof UniqueViolation, `${message}: expected a UniqueViolation, got ${String(error)}`);
  assert.equal(error.constraint, constraint, message);
}

/** Asserts that `work` rejects with a `ReferenceViolation` of the field. */
export async function assertReferenceViolation(work: Promise<unknown>, field: string, message: string): Promise<void> {
  const error = await rejection(work, message);
  assert.ok(error instanceof ReferenceViolation, `${message}: expected a ReferenceViolation, got ${String(error)}`);
  assert.equal(error.field, field, message);
}

/** Asserts that `work` rejects with an error of the code. */
export async function assertCode(work: Promise<unknown>, code: string, message: string): Promise<void> {
  const error = await rejection(work, message);
  assert.equal((error as { code?: unknown }).code, code, `${message}: got ${String(error)}`);
}

/** Returns the ids of records in their order. */
export function ids(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id);
}
