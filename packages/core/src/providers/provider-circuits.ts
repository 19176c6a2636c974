import type { Clock } from '../ports/clock.ts';
import type { Provider } from '../ports/provider.ts';
import { Circuit, type CircuitOptions } from './circuit.ts';

const defaults: CircuitOptions = { failures: 3, openMs: 30_000 };
/** Of those that were used longest ago, the rest is forgotten. */
const maxCircuits = 10_000;

/**
 * The circuits of a process: one for each provider and, where an organization uses its own key, for each of those, as a
 * key that is out of credit is nobody else's trouble.
 */
export class ProviderCircuits {
  readonly #clock: Clock;
  readonly #options: CircuitOptions;
  readonly #circuits = new Map<string, Circuit>();

  constructor(clock: Clock, options: Partial<CircuitOptions> = {}) {
    this.#clock = clock;
    this.#options = { ...defaults, ...options };
  }

  /** @param owner the organization whose own key is used; null for the host's. */
  of(provider: Pick<Provider, 'kind' | 'id'>, owner: string | null): Circuit {
    const name = JSON.stringify([provider.kind, provider.id, owner]);
    const circuit = this.#circuits.get(name) ?? new Circuit(this.#clock, this.#options);
    this.#circuits.delete(name);
    this.#circuits.set(name, circuit);
    for (const oldest of this.#circuits.keys()) {
      if (this.#circuits.size <= maxCircuits) break;
      this.#circuits.delete(oldest);
    }
    return circuit;
  }
}
