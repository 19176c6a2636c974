import type { Operations } from '@va/core';

export interface RecordedOperations {
  readonly operations: Operations;
  /** Each call: the name of the operation, such as `agents.get`, and its arguments. */
  readonly calls: readonly (readonly unknown[])[];
}

/** Operations that record their calls, and all return the same result. */
export function recordedOperations(result: unknown = { id: 'made' }): RecordedOperations {
  const calls: unknown[][] = [];
  const groupOf = (group: string): object =>
    new Proxy(
      {},
      {
        get:
          (_target, name) =>
          (...args: readonly unknown[]) => {
            calls.push([`${group}.${String(name)}`, ...args]);
            // The only operation without a promise.
            return group === 'byok' && name === 'config' ? [result] : Promise.resolve(result);
          },
      },
    );
  const operations = new Proxy({}, { get: (_target, group) => groupOf(String(group)) });
  return { operations: operations as Operations, calls };
}
