import { timestamp } from '../clock/timestamp.ts';
import type { ProviderHealth } from '../domain/deployment/node-details.ts';
import type { ServiceEvents } from '../events.ts';
import type { Clock } from '../ports/clock.ts';
import type { Provider } from '../ports/providers/provider.ts';
import type { ProviderCircuits } from '../providers/provider-circuits.ts';
import { RecentCount } from './recent-count.ts';

/** Maximum number of providers, because their state is published with each heartbeat. */
const maxProviders = 100;

interface Failures {
  readonly recent: RecentCount;
  last: ProviderHealth['last_failure'];
}

/** Remembers the failures of providers and jobs in this process. */
export class FailureWatch {
  readonly #clock: Clock;
  readonly #providers = new Map<string, Failures>();
  readonly #jobs = new Map<string, RecentCount>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records the failures of providers and webhooks among the events of the service. */
  observe<Name extends keyof ServiceEvents>(name: Name, event: Parameters<ServiceEvents[Name]>[0]): void {
    if (name === 'provider.failed') this.#providerFailed(event as Parameters<ServiceEvents['provider.failed']>[0]);
    else if (name === 'webhook.attempt') {
      const { outcome } = event as Parameters<ServiceEvents['webhook.attempt']>[0];
      if (!outcome.ok) this.jobFailed('webhooks');
    }
  }

  jobFailed(queue: string): void {
    const count = this.#jobs.get(queue) ?? new RecentCount(this.#clock);
    this.#jobs.set(queue, count);
    count.add();
  }

  get recentJobFailures(): Record<string, number> {
    return Object.fromEntries([...this.#jobs].map(([queue, count]) => [queue, count.value]));
  }

  /** Returns the state of the registered providers. */
  providers(registered: readonly Provider[], circuits: Pick<ProviderCircuits, 'countsOf'>): ProviderHealth[] {
    return registered.slice(0, maxProviders).map((provider) => {
      const failures = this.#providers.get(keyOf(provider));
      const { circuits: all, open } = circuits.countsOf(provider);
      return {
        kind: provider.kind,
        provider: provider.id,
        circuits: all,
        open_circuits: open,
        recent_failures: failures?.recent.value ?? 0,
        last_failure: failures?.last ?? null,
      };
    });
  }

  #providerFailed({ kind, provider: id, fault }: Parameters<ServiceEvents['provider.failed']>[0]): void {
    const key = keyOf({ kind, id });
    const failures = this.#providers.get(key) ?? { recent: new RecentCount(this.#clock), last: null };
    // A provider may report a failure under another id, which no registered provider has.
    if (!this.#providers.has(key) && this.#providers.size >= maxProviders) return;
    this.#providers.set(key, failures);
    failures.recent.add();
    failures.last = { fault, at: timestamp(this.#clock) };
  }
}

function keyOf({ kind, id }: Pick<Provider, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}
