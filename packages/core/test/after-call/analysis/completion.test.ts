import { saying, scriptedLlm } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { complete } from '../../../src/after-call/analysis/completion.ts';
import type { LlmConfig } from '../../../src/domain/agents/agent.ts';
import { ProviderError } from '../../../src/errors.ts';
import type { LanguageModel, LlmEvent, LlmRequest } from '../../../src/ports/providers/language-model.ts';
import type { Links } from '../../../src/providers/link.ts';
import { type ChainParts, chainParts } from '../../providers/support.ts';

const config: LlmConfig = { provider: 'scripted', messages: [], tools: [] };

/** A model whose replies are the iterables of `stream`. */
function modelOf(stream: (request: LlmRequest) => AsyncIterable<LlmEvent>, id = 'scripted'): LanguageModel {
  return { ...scriptedLlm([saying('')]), id, stream };
}

const linksOf = (first: LanguageModel, ...others: LanguageModel[]): Links<LanguageModel, LlmConfig> => [
  { provider: first, config },
  ...others.map((provider) => ({ provider, config })),
];

async function* textsOf(...texts: readonly string[]): AsyncGenerator<LlmEvent> {
  for (const text of texts) yield { type: 'text', text };
}

/** A reply that fails before its first event. */
function refused(error: Error): AsyncIterable<LlmEvent> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}

async function* failing(error: Error): AsyncGenerator<LlmEvent> {
  yield* textsOf('Hel');
  throw error;
}

function ask(
  models: Links<LanguageModel, LlmConfig>,
  { chain = chainParts(), signal = new AbortController().signal }: { chain?: ChainParts; signal?: AbortSignal } = {},
): Promise<string> {
  return complete({ models, chain, signal }, [{ role: 'user', content: 'Sum up.' }]);
}

describe('complete', () => {
  it('returns the trimmed text of the reply, without other events', async () => {
    const model = modelOf(async function* () {
      yield* textsOf('  A table', ' for two.');
      yield { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } };
      yield* textsOf('\n');
    });
    expect(await ask(linksOf(model))).toBe('A table for two.');
  });

  it('asks without tools, with the key of the organization', async () => {
    const requests: LlmRequest[] = [];
    const model = modelOf((request) => {
      requests.push(request);
      return textsOf('Yes.');
    });
    await ask(linksOf(model), { chain: chainParts({ keys: { scripted: 'own-key' } }) });
    expect(requests).toMatchObject([
      { tools: [], orgId: 'org-1', apiKey: 'own-key', messages: [{ role: 'user', content: 'Sum up.' }] },
    ]);
  });

  it('accepts 200,000 characters, and stops a reply that is longer', async () => {
    expect(await ask(linksOf(modelOf(() => textsOf('x'.repeat(200_000)))))).toHaveLength(200_000);
    let hasEnded = false;
    const model = modelOf(async function* () {
      try {
        for (;;) yield* textsOf('x'.repeat(100_001));
      } finally {
        hasEnded = true;
      }
    });
    await expect(ask(linksOf(model))).rejects.toMatchObject({
      code: 'answer_too_long',
      message: 'The response of the model is longer than 200000 characters.',
    });
    expect(hasEnded).toBe(true);
  });

  it('throws the failure of the model', async () => {
    const error = new ProviderError('scripted', 'unavailable', 'overloaded');
    await expect(ask(linksOf(modelOf(() => failing(error))))).rejects.toBe(error);
  });

  it('takes the reply of a fallback if the first model fails', async () => {
    const error = new ProviderError('scripted', 'unavailable', 'overloaded');
    const [first, second] = [modelOf(() => refused(error)), modelOf(() => textsOf('Yes.'), 'other')];
    expect(await ask(linksOf(first, second))).toBe('Yes.');
  });

  it('does not ask a single model whose circuit is open', async () => {
    let asked = 0;
    const chain = chainParts();
    const model = modelOf(() => {
      asked += 1;
      return failing(new ProviderError('scripted', 'unavailable', 'overloaded'));
    });
    for (let n = 0; n < 50; n += 1) await ask(linksOf(model), { chain }).catch(() => {});
    const before = asked;
    await expect(ask(linksOf(model), { chain })).rejects.toThrow('open circuit breaker');
    expect(asked).toBe(before);
    expect(before).toBeLessThan(50);
  });

  it('ends on abort even if the model ignores the signal', async () => {
    const leaving = new AbortController();
    const asking = ask(
      linksOf(
        modelOf(async function* () {
          await new Promise(() => {});
        }),
      ),
      { signal: leaving.signal },
    );
    leaving.abort();
    await expect(asking).rejects.toMatchObject({ code: 'aborted' });
  });

  it('is aborted from the start with an aborted signal', async () => {
    const asking = ask(linksOf(modelOf(() => textsOf('Yes.'))), { signal: AbortSignal.abort() });
    await expect(asking).rejects.toMatchObject({ code: 'aborted' });
  });

  it('does not count an abort as a failure of the model', async () => {
    const chain = chainParts();
    const model = modelOf(() => textsOf('Yes.'));
    for (let n = 0; n < 50; n += 1) await ask(linksOf(model), { chain, signal: AbortSignal.abort() }).catch(() => {});
    expect(await ask(linksOf(model), { chain })).toBe('Yes.');
  });
});
