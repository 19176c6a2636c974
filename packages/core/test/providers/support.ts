import { silentLogger, VirtualClock } from '@va/testkit';
import type { ChainDependencies } from '../../src/providers/chain.ts';
import type { CircuitOptions } from '../../src/providers/circuit.ts';
import { OwnKeys } from '../../src/providers/own-keys.ts';
import { ProviderCircuits } from '../../src/providers/provider-circuits.ts';

export interface ChainParts extends ChainDependencies {
  readonly clock: VirtualClock;
  readonly warnings: string[];
}

/** Creates the dependencies of a chain on virtual time, and collects its warnings. */
export function chainParts(
  options: { circuit?: Partial<CircuitOptions>; keys?: Record<string, string> } = {},
): ChainParts {
  const clock = new VirtualClock();
  const warnings: string[] = [];
  return {
    clock,
    warnings,
    circuits: new ProviderCircuits(clock, options.circuit),
    orgId: 'org-1',
    keys: new OwnKeys(new Map(Object.entries(options.keys ?? {}))),
    logger: { ...silentLogger, warn: (fields) => warnings.push(String(fields.provider)) },
  };
}

/** Reads an iterable to its end; returns its events and the error it threw. */
export async function readAll<T>(iterable: AsyncIterable<T>): Promise<{ events: T[]; error: unknown }> {
  const events: T[] = [];
  try {
    for await (const event of iterable) events.push(event);
    return { events, error: null };
  } catch (error) {
    return { events, error };
  }
}
