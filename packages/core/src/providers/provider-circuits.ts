import type { Clock } from '../ports/clock.ts';
import type { Provider } from '../ports/providers/provider.ts';
import { Circuit, type CircuitOptions } from './circuit.ts';

const defaults: CircuitOptions = { failures: 3, openMs: 30_000 };
/** Maximum number of circuits; the least recently used ones are dropped. */
const maxCircuits = 10_000;

/** Key, model and endpoint of a provider that share one circuit. */
export interface CircuitScope {
  /** Organization whose own key is used; null for the host's. */
  readonly owner: string | null;
  /** Model of the agent; null for the provider's default. */
  readonly model: string | null;
  /** Endpoint of the organization's own; null for the provider's. */
  readonly url?: string | null;
}

/**
 * Circuit breakers of a process: one per provider, key, model and endpoint. A key without credit, or a failing model,
 * affects only the organizations that use it.
 */
export class ProviderCircuits {
  readonly #clock: Clock;
  readonly #options: CircuitOptions;
  readonly #circuits = new Map<string, Circuit>();

  constructor(clock: Clock, options: Partial<CircuitOptions> = {}) {
    this.#clock = clock;
    this.#options = { ...defaults, ...options };
  }

  /** Counts the circuits of a provider, and the open ones among them. */
  countsOf({ kind, id }: Pick<Provider, 'kind' | 'id'>): { readonly circuits: number; readonly open: number } {
    const prefix = `${JSON.stringify([kind, id]).slice(0, -1)},`;
    const own = [...this.#circuits].filter(([name]) => name.startsWith(prefix));
    return { circuits: own.length, open: own.filter(([, circuit]) => circuit.isOpen).length };
  }

  of(provider: Pick<Provider, 'kind' | 'id'>, { owner, model, url = null }: CircuitScope): Circuit {
    const name = JSON.stringify([provider.kind, provider.id, owner, model, url]);
    // A key without access to one model is not a broken key.
    const options = { ...this.#options, countsAuth: model === null };
    const circuit = this.#circuits.get(name) ?? new Circuit(this.#clock, options);
    this.#circuits.delete(name);
    this.#circuits.set(name, circuit);
    for (const oldest of this.#circuits.keys()) {
      if (this.#circuits.size <= maxCircuits) break;
      this.#circuits.delete(oldest);
    }
    return circuit;
  }
}
