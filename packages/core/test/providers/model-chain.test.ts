import { type ScriptedLlm, type ScriptedReply, saying, scriptedLlm } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type LlmConfig, llmConfigSchema } from '../../src/domain/agents/agent.ts';
import { ProviderError } from '../../src/errors.ts';
import type { LanguageModel, LlmEvent, LlmRequest } from '../../src/ports/providers/language-model.ts';
import { type Link, llmConfigs } from '../../src/providers/link.ts';
import { modelChain } from '../../src/providers/model-chain.ts';
import { type ChainParts, chainParts, readAll } from './support.ts';

const down = new ProviderError('first', 'unavailable', 'service unavailable');

function llm(id: string, ...script: ScriptedReply[]): ScriptedLlm {
  return scriptedLlm(script, { id });
}

function linkOf(provider: LanguageModel): Link<LanguageModel, LlmConfig> {
  return { provider, config: llmConfigSchema.parse({ provider: provider.id, model: `model of ${provider.id}` }) };
}

function request(parts: ChainParts, abort = new AbortController()): LlmRequest {
  const { clock, logger } = parts;
  const config = llmConfigSchema.parse({ provider: 'any' });
  return { config, messages: [], tools: [], apiKey: 'a key of another', signal: abort.signal, clock, logger };
}

/** Reads a reply while virtual time advances; returns its texts and the error. */
async function ask(model: LanguageModel, parts: ChainParts, ms = 20_000): Promise<{ texts: string[]; error: unknown }> {
  const reading = readAll(model.stream(request(parts)));
  await parts.clock.advance(ms);
  const { events, error } = await reading;
  return { texts: textsOf(events), error };
}

function textsOf(events: readonly LlmEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'usage') return [];
    return [event.type === 'text' ? event.text : event.call.name];
  });
}

describe('a chain of language models', () => {
  it('with a single provider is that model itself', () => {
    const first = llm('first', saying('Hi.'));
    expect(modelChain([linkOf(first)], chainParts())).toBe(first);
  });

  it('falls back when a model fails before its first output, with the settings and key of the next', async () => {
    const parts = chainParts({ keys: { second: 'key of second' } });
    const [first, second] = [llm('first', [down]), llm('second', saying('Hi.'))];
    const { texts, error } = await ask(modelChain([linkOf(first), linkOf(second)], parts), parts);
    expect([texts, error]).toEqual([['Hi.'], null]);
    expect(first.requests[0]?.apiKey).toBeUndefined();
    expect(second.requests[0]).toMatchObject({ apiKey: 'key of second', config: { model: 'model of second' } });
    expect(parts.warnings).toEqual(['first']);
    expect(parts.clock.pending).toBe(0);
  });

  it('falls back when a model is silent for too long, and aborts its request', async () => {
    const parts = chainParts();
    const [first, second] = [llm('first', [20_000, ...saying('Late.')]), llm('second', [100, ...saying('Hi.')])];
    const reading = readAll(modelChain([linkOf(first), linkOf(second)], parts).stream(request(parts)));
    await parts.clock.advance(4_999);
    expect(second.requests).toHaveLength(0);
    await parts.clock.advance(101);
    expect(textsOf((await reading).events)).toEqual(['Hi.']);
    expect(first.requests[0]?.signal.aborted).toBe(true);
    expect(parts.clock.pending).toBe(0);
  });

  it('does not limit the duration of a reply that has begun', async () => {
    const parts = chainParts();
    const first = llm('first', [...saying('One.'), 60_000, ...saying('Two.')]);
    const { texts } = await ask(
      modelChain([linkOf(first), linkOf(llm('second', saying('No.')))], parts),
      parts,
      61_000,
    );
    expect(texts).toEqual(['One.', 'Two.']);
  });

  it('passes on a failure in the middle of a reply', async () => {
    const parts = chainParts();
    const [first, second] = [llm('first', [...saying('One.'), down]), llm('second', saying('No.'))];
    const { texts, error } = await ask(modelChain([linkOf(first), linkOf(second)], parts), parts);
    expect([texts, error]).toEqual([['One.'], down]);
    expect(second.requests).toHaveLength(0);
  });

  it('fails with the last error when every model fails', async () => {
    const parts = chainParts();
    const last = new ProviderError('second', 'quota', 'out of credit');
    const chain = modelChain([linkOf(llm('first', [down])), linkOf(llm('second', [last]))], parts);
    expect((await ask(chain, parts)).error).toBe(last);
  });

  it('fails with a timeout when no model answers', async () => {
    const parts = chainParts();
    const chain = modelChain([linkOf(llm('first', [60_000])), linkOf(llm('second', [60_000]))], parts);
    const { error } = await ask(chain, parts, 10_000);
    expect(error).toMatchObject({ provider: 'second', fault: 'timeout', retryable: true });
  });

  it('skips a model after repeated failures, retries it later, and tries all when all have failed', async () => {
    const parts = chainParts({ circuit: { failures: 2 } });
    const first = llm('first', [down], [down], saying('Back.'));
    const second = llm('second', saying('Hi.'));
    const chain = modelChain([linkOf(first), linkOf(second)], parts);
    for (let each = 0; each < 4; each++) await ask(chain, parts, 1_000);
    expect(first.requests).toHaveLength(2);
    await parts.clock.advance(30_000);
    expect((await ask(chain, parts)).texts).toEqual(['Back.']);

    const dead = [llm('third', [down], [down], saying('There.')), llm('fourth', [down])];
    const [third, fourth] = dead.map(linkOf);
    if (third === undefined || fourth === undefined) throw new Error('expected two providers');
    const other = modelChain([third, fourth], parts);
    await ask(other, parts, 1_000);
    await ask(other, parts, 1_000);
    expect((await ask(other, parts, 1_000)).texts).toEqual(['There.']);
  });

  it('aborts the current request and tries no other model when it is aborted', async () => {
    const parts = chainParts();
    const [first, second] = [llm('first', [1_000, down]), llm('second', saying('No.'))];
    const abort = new AbortController();
    const chain = modelChain([linkOf(first), linkOf(second)], parts);
    const reading = readAll(chain.stream(request(parts, abort)));
    await parts.clock.advance(500);
    abort.abort();
    expect(await reading).toEqual({ events: [], error: null });
    expect(first.requests[0]?.signal.aborted).toBe(true);
    expect(second.requests).toHaveLength(0);
    expect(parts.clock.pending).toBe(0);
  });

  it('ends on abort when a model ignores the signal', async () => {
    const parts = chainParts();
    const deaf: LanguageModel = { kind: 'llm', id: 'deaf', stream: () => neverAnswering() };
    const abort = new AbortController();
    const chain = modelChain([linkOf(deaf), linkOf(llm('second', saying('No.')))], parts);
    const reading = readAll(chain.stream(request(parts, abort)));
    await parts.clock.advance(10);
    abort.abort();
    expect(await reading).toEqual({ events: [], error: null });
    expect(parts.clock.pending).toBe(0);
  });

  it('aborts the request when the reader stops in the middle', async () => {
    const parts = chainParts();
    const first = llm('first', [...saying('One.'), ...saying('Two.')]);
    const chain = modelChain([linkOf(first), linkOf(llm('second', saying('No.')))], parts);
    for await (const _ of chain.stream(request(parts))) break;
    expect(first.requests[0]?.signal.aborted).toBe(true);
  });
});

function neverAnswering(): AsyncIterable<LlmEvent> {
  return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
}

describe('the configuration of a chain', () => {
  it('gives each model the messages and tools of the agent, and removes the fallbacks', () => {
    const messages = [{ role: 'system', content: 'Be brief.' }];
    const config = llmConfigSchema.parse({
      ...{ provider: 'a', model: 'm', temperature: 0.5, messages },
      fallbacks: [{ provider: 'b', model: 'n', extra: 1 }],
    });
    expect(llmConfigs(config)).toEqual([
      { provider: 'a', model: 'm', temperature: 0.5, messages, tools: [] },
      { provider: 'b', model: 'n', extra: 1, messages, tools: [] },
    ]);
  });
});
