import type { LlmConfig, SttConfig, TtsConfig } from '../domain/agents/agent.ts';
import { toError, VaError } from '../errors.ts';
import type { Logger } from '../ports/logger.ts';
import type { ProviderTraits } from '../ports/providers/provider-traits.ts';

/** One provider of a chain, with its settings (which have no `fallbacks`). */
export interface Link<P extends ProviderTraits & { readonly id: string }, C> {
  readonly provider: P;
  readonly config: C;
}

/** The links of a chain, in the order of attempts. */
export type Links<P extends ProviderTraits & { readonly id: string }, C> = readonly [Link<P, C>, ...Link<P, C>[]];

/** Settings of a chain, one per link: those of the agent first, then its fallbacks. */
export type ChainConfigs<C> = readonly [C, ...C[]];

export function sttConfigs({ fallbacks = [], ...first }: SttConfig): ChainConfigs<SttConfig> {
  return [first, ...fallbacks];
}

export function llmConfigs({ fallbacks = [], ...first }: LlmConfig): ChainConfigs<LlmConfig> {
  const { messages, tools } = first;
  return [first, ...fallbacks.map((fallback) => ({ ...fallback, messages, tools }))];
}

export function ttsConfigs({ fallbacks = [], ...first }: TtsConfig): ChainConfigs<TtsConfig> {
  return [first, ...fallbacks];
}

/**
 * Returns the links of a chain. Fallbacks whose provider is not registered are left out: the call can be served without
 * them.
 * @throws VaError `unknown_provider` if the first one is missing
 */
export function linksOf<P extends ProviderTraits & { readonly id: string }, C extends { readonly provider: string }>(
  [first, ...fallbacks]: ChainConfigs<C>,
  find: (id: string) => P,
  logger: Logger,
): Links<P, C> {
  const found = fallbacks.flatMap((config): Link<P, C>[] => {
    try {
      return [{ provider: find(config.provider), config }];
    } catch (thrown) {
      if (!(thrown instanceof VaError) || thrown.code !== 'unknown_provider') throw thrown;
      logger.warn({ err: toError(thrown) }, 'a fallback of the agent is left out');
      return [];
    }
  });
  return [{ provider: find(first.provider), config: first }, ...found];
}
