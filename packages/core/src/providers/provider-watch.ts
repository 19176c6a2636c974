import { ProviderError, type ProviderFault } from '../errors.ts';
import type { ModelUsage } from '../ports/providers/model-usage.ts';
import type { Provider } from '../ports/providers/provider.ts';

export interface ProviderFailure {
  readonly kind: Provider['kind'];
  readonly provider: string;
  /** Fault of the `ProviderError`; `other` for errors of another class. */
  readonly fault: ProviderFault | 'other';
}

/** One request to a provider, from start to end. */
export interface RequestWatch {
  /** Tokens of the request, if the provider reports them. */
  used(usage: ModelUsage): void;
  failed(thrown: unknown): void;
  /** MUST be called, also after `failed`. */
  ended(): void;
}

/** Observer of provider requests and failures of one call. */
export interface ProviderWatch {
  /** @param model name of the requested model; undefined if the agent names none and the provider has no default */
  begin(provider: Pick<Provider, 'kind' | 'id'>, model?: string): RequestWatch;
  failed(provider: Pick<Provider, 'kind' | 'id'>, thrown: unknown): void;
}

/** Reports each failure once, although several layers may report the same error. */
export class FailureReporter {
  readonly #tell: (failure: ProviderFailure) => void;
  readonly #told = new WeakSet<object>();

  constructor(tell: (failure: ProviderFailure) => void) {
    this.#tell = tell;
  }

  failed({ kind, id }: Pick<Provider, 'kind' | 'id'>, thrown: unknown): void {
    for (let error = thrown; error instanceof Error; error = error.cause) {
      const isTold = this.#told.has(error);
      this.#told.add(error);
      if (isTold) return;
    }
    const known = thrown instanceof ProviderError ? thrown : null;
    this.#tell({ kind, provider: known?.provider ?? id, fault: known?.fault ?? 'other' });
  }
}
