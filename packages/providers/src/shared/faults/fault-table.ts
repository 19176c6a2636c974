import type { ProviderFault } from '@va/core';

/** Faults by the error names of a service. */
export type FaultTable = Readonly<Record<string, ProviderFault>>;

/** Returns the fault of a name from the service; undefined for an unknown name and for any other value. */
export function faultIn(table: FaultTable, name: unknown): ProviderFault | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}
