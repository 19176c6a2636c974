import type { NodeDetails } from '../domain/deployment/node-details.ts';
import type { Provider } from '../ports/providers/provider.ts';
import type { Telephony } from '../ports/telephony.ts';
import type { ProviderCircuits } from '../providers/provider-circuits.ts';
import { version } from '../version.ts';
import type { FailureWatch } from './failure-watch.ts';

/** Maximum number of accounts at SIP registrars that a node publishes. */
const maxRegistrations = 100;

interface DetailsSources {
  readonly isStarting: boolean;
  readonly calls: { readonly limit: number; readonly loopLagMs: number };
  readonly failures: FailureWatch;
  readonly circuits: ProviderCircuits;
  readonly providers: readonly Provider[];
  readonly telephony: readonly Telephony[];
}

/** Returns the facts that this process publishes about itself. */
export function ownDetails({
  isStarting,
  calls,
  failures,
  circuits,
  providers,
  telephony,
}: DetailsSources): NodeDetails {
  return {
    version,
    is_starting: isStarting,
    max_calls: calls.limit,
    event_loop_lag_ms: Math.round(calls.loopLagMs),
    providers: failures.providers(providers, circuits),
    registrations: telephony.flatMap(({ registrations = [] }) => registrations).slice(0, maxRegistrations),
    recent_job_failures: failures.recentJobFailures,
    web_call_url: ownWebCallUrl(telephony),
  };
}

/** Returns the WebSocket URL at which browsers reach this process; null if it has only the URL of the service. */
export function ownWebCallUrl(telephony: readonly Telephony[]): string | null {
  return telephony.find(({ webCallPath }) => webCallPath !== undefined)?.webCallUrl ?? null;
}
