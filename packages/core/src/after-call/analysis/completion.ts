import type { LlmConfig } from '../../domain/agents/agent.ts';
import { ProviderError, VaError } from '../../errors.ts';
import type { ChatMessage, LanguageModel, LlmEvent } from '../../ports/providers/language-model.ts';
import { type ChainDependencies, circuitOf } from '../../providers/chain.ts';
import type { Links } from '../../providers/link.ts';
import { modelChain } from '../../providers/model-chain.ts';
import type { OwnKeys } from '../../providers/own-keys.ts';

const maxCharacters = 200_000;

/** The models to ask for a text, and what the request needs. */
export interface Completing {
  readonly models: Links<LanguageModel, LlmConfig>;
  readonly chain: ChainDependencies & { readonly keys: OwnKeys };
  readonly signal: AbortSignal;
}

/**
 * Returns the model's complete response. Ends on abort even if the model ignores the signal.
 * @throws ProviderError; VaError `aborted`, `answer_too_long`
 */
export async function complete(
  { models, chain, signal }: Completing,
  messages: readonly ChatMessage[],
): Promise<string> {
  const [link] = models;
  const { provider, config } = link;
  // A chain manages the circuits of its links itself.
  const attempt = models.length > 1 ? null : circuitOf(link, chain).begin();
  if (models.length === 1 && attempt === null) {
    throw new ProviderError(
      provider.id,
      'unavailable',
      'the model failed repeatedly and is not asked for now (open circuit breaker)',
    );
  }
  const { clock, logger, keys, orgId } = chain;
  const request = { config, messages, tools: [], orgId, ...keys.of(provider), signal, clock, logger };
  try {
    const text = await textOf(modelChain(models, chain).stream(request), signal);
    attempt?.succeeded();
    return text;
  } catch (thrown) {
    if (signal.aborted) attempt?.abandoned();
    else attempt?.failed(thrown);
    throw thrown;
  }
}

async function textOf(events: AsyncIterable<LlmEvent>, signal: AbortSignal): Promise<string> {
  const iterator = events[Symbol.asyncIterator]();
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new VaError('aborted', 'The request to the model was aborted.'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  aborted.catch(() => {});
  let text = '';
  let isOver = false;
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (signal.aborted) throw new VaError('aborted', 'The request to the model was aborted.');
      if (next.done === true) {
        isOver = true;
        return text.trim();
      }
      if (next.value.type === 'text') text += next.value.text;
      if (text.length > maxCharacters) {
        throw new VaError('answer_too_long', `The response of the model is longer than ${maxCharacters} characters.`);
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: it may hang if the model ignores the signal.
    if (!isOver) iterator.return?.().catch(() => {});
  }
}
