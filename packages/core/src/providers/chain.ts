import type { UsageMeter } from '../costs/usage-meter.ts';
import type { UsageSource } from '../costs/usage-source.ts';
import { ProviderError, toError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Provider } from '../ports/providers/provider.ts';
import type { Attempt, Circuit } from './circuit.ts';
import type { Link, Links } from './link.ts';
import type { OwnKeys } from './own-keys.ts';
import type { ProviderCircuits } from './provider-circuits.ts';
import type { ProviderWatch } from './provider-watch.ts';

/** Shared settings of the chains of one call. */
export interface ChainDependencies {
  readonly circuits: ProviderCircuits;
  /** Organization of the call. */
  readonly orgId: string;
  readonly keys: OwnKeys;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Timeout of a link's first event, 5 s by default. A single link has no timeout. */
  readonly timeoutMs?: number;
  readonly watch?: ProviderWatch | undefined;
  /** Meter of the usage that the providers bill; without it, usage is not counted. */
  readonly meter?: UsageMeter | undefined;
}

/** Settings of which each combination has its own circuit. */
interface CircuitConfig {
  readonly model?: string | undefined;
  readonly url?: string | undefined;
}

const defaultTimeoutMs = 5_000;
const noAttempt: Attempt = { succeeded() {}, failed() {}, abandoned() {} };

/** A link to be tried. */
export interface Candidate<P extends Provider, C> {
  readonly link: Link<P, C>;
  readonly attempt: Attempt;
}

/** Returns the organization if its own key is used; null for the host's key. */
export function ownerOf(provider: Provider, { keys, orgId }: Pick<ChainDependencies, 'keys' | 'orgId'>): string | null {
  return keys.of(provider).apiKey === undefined ? null : orgId;
}

/** Returns the source of a link's usage. Counts as the organization's own key at its own endpoint, which it pays. */
export function sourceOf(
  { provider, config }: Link<Provider, CircuitConfig>,
  deps: Pick<ChainDependencies, 'keys' | 'orgId'>,
): UsageSource {
  const model = config.model ?? provider.defaultModel ?? null;
  return { provider: provider.id, model, ownKey: config.url !== undefined || ownerOf(provider, deps) !== null };
}

/** Returns the circuit breaker of a link: of its provider, model, key, and the customer's endpoint if it has one. */
export function circuitOf({ provider, config }: Link<Provider, CircuitConfig>, deps: ChainDependencies): Circuit {
  const { model = null, url = null } = config;
  const owner = url === null ? ownerOf(provider, deps) : deps.orgId;
  return deps.circuits.of(provider, { owner, model, url });
}

/**
 * Yields the links to try, in order from `start` and around to the one before it, without those with an open circuit.
 * If all circuits are open, yields all links: otherwise the agent could not speak with the caller.
 */
export function* candidates<P extends Provider, C extends CircuitConfig>(
  links: Links<P, C>,
  start: number,
  deps: ChainDependencies,
): Generator<Candidate<P, C>, void, undefined> {
  const turned = [...links.slice(start), ...links.slice(0, start)];
  let admitted = false;
  for (const link of turned) {
    const attempt = circuitOf(link, deps).begin();
    if (attempt === null) continue;
    admitted = true;
    yield { link, attempt };
  }
  if (!admitted) for (const link of turned) yield { link, attempt: noAttempt };
}

export function timeoutOf({ timeoutMs = defaultTimeoutMs }: ChainDependencies): number {
  return timeoutMs;
}

export function tooLate(provider: Provider, what: string, deps: ChainDependencies): ProviderError {
  return new ProviderError(provider.id, 'timeout', `${what} within ${timeoutOf(deps)} ms`);
}

export function noteFailure(provider: Provider, thrown: unknown, { logger, watch }: ChainDependencies): void {
  watch?.failed(provider, thrown);
  const fields = { kind: provider.kind, provider: provider.id, err: toError(thrown) };
  logger.warn(fields, 'a provider failed; the next one of the chain takes over');
}

/** Closes a provider's resource. Errors are only logged, because nothing waits for the resource any more. */
export function letGo({ kind, id }: Provider, release: () => void, { logger }: ChainDependencies): void {
  try {
    release();
  } catch (thrown) {
    logger.warn({ kind, provider: id, err: toError(thrown) }, 'a provider could not be let go of');
  }
}
