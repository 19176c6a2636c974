import { memory } from '@va/storage/memory';
import { type ScriptedReply, saying, scriptedLlm, silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AnalysisTask } from '../../../src/after-call/analysis/analysis-task.ts';
import { type Analysis, analyzeCall } from '../../../src/after-call/analysis/analyze-call.ts';
import { ProviderRegistry } from '../../../src/calls/session/provider-registry.ts';
import { PriceList } from '../../../src/costs/price-list.ts';
import { ProviderError, VaError } from '../../../src/errors.ts';
import type { LanguageModel, LlmRequest } from '../../../src/ports/providers/language-model.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import type { Vault } from '../../../src/ports/vault.ts';
import { ProviderCircuits } from '../../../src/providers/provider-circuits.ts';
import { organizationOf, orgId, unknownId } from '../../operations/support.ts';
import { recordId, startedAt } from '../../support/sample-records.ts';
import { untyped } from '../../support/untyped.ts';

const messages = [
  { role: 'assistant' as const, content: 'Hello.' },
  { role: 'user' as const, content: 'A table for two.' },
];
const schema = { type: 'object', properties: { people: { type: 'integer' } } };
const both: AnalysisTask = {
  llmConfig: untyped({ provider: 'scripted', messages: [], tools: [] }),
  summary: { messages: [] },
  structured: { schema, messages: [] },
};
const summaryOnly: AnalysisTask = { ...both, structured: null };
const down = new ProviderError('scripted', 'unavailable', 'overloaded', { status: 503 });
const refused = new ProviderError('scripted', 'auth', 'wrong key', { status: 401 });

let clock: VirtualClock;
let storage: Storage;
let over: AbortController;
let checked: string[];
let check: (schema: unknown, value: unknown) => Promise<readonly string[]>;
let warned: string[];

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  over = new AbortController();
  [checked, warned] = [[], []];
  check = async () => [];
  await storage.organizations.insert(orgId, organizationOf(orgId, clock));
});

interface Parts {
  readonly vault?: Vault;
  readonly prices?: PriceList;
}

function analyze(models: readonly LanguageModel[], task: AnalysisTask, parts: Parts = {}): Promise<Analysis> {
  const deps = {
    storage,
    vault: parts.vault,
    clock,
    registry: new ProviderRegistry(models),
    circuits: new ProviderCircuits(clock),
    prices: parts.prices ?? new PriceList({}),
    schemas: {
      check: async (org: string, of: unknown, value: unknown) => {
        checked.push(org);
        return await check(of, value);
      },
    },
    logger: { ...silentLogger, warn: (_fields: object, message: string) => void warned.push(message) },
  };
  return analyzeCall(untyped(deps), orgId, { messages }, task, over.signal);
}

const isForData = ({ messages: asked }: LlmRequest): boolean =>
  asked.some(({ content }) => content?.includes('JSON Schema') === true);

/** A model with these replies for the summary and the data, in order; the last one repeats. */
function reader(summary: readonly ScriptedReply[], data: readonly ScriptedReply[] = [saying('{"people": 2}')]) {
  let [summaries, answers] = [0, 0];
  return scriptedLlm((request) => {
    const [replies, n] = isForData(request) ? [data, answers++] : [summary, summaries++];
    return replies[Math.min(n, replies.length - 1)] ?? [];
  });
}

/** Runs the analysis to its end, for which its pauses pass. */
async function outcome(running: Promise<Analysis>): Promise<Analysis & { readonly ms: number }> {
  let ended: Analysis | null = null;
  void running.then((analysis) => {
    ended = analysis;
  });
  const before = clock.nowMs();
  await clock.advance(0);
  while (ended === null && clock.nowMs() - before < 120_000) await clock.advance(500);
  return { ...(await running), ms: clock.nowMs() - before };
}

describe('an analysis', () => {
  it('has the summary and the data that the task asks for', async () => {
    const model = reader([saying('A table for two.')]);
    expect(await analyze([model], both)).toEqual({
      summary: 'A table for two.',
      result: { people: 2 },
      error: null,
      usage: expect.any(Array),
    });
    expect(model.requests).toHaveLength(2);
    expect(checked).toEqual([orgId, orgId]);
    expect(warned).toEqual([]);
  });

  it.each<[string, Partial<AnalysisTask>, Partial<Analysis>]>([
    ['a summary alone', { structured: null }, { summary: 'A table.', result: null }],
    ['data alone', { summary: null }, { summary: null, result: { people: 2 } }],
  ])('asks nothing more for %s', async (_what, changes, expected) => {
    const model = reader([saying('A table.')]);
    expect(await analyze([model], { ...both, ...changes })).toMatchObject({ ...expected, error: null });
    expect(model.requests).toHaveLength(1);
  });

  it('has no summary if the model wrote nothing', async () => {
    expect(await analyze([reader([saying(' \n')])], summaryOnly)).toMatchObject({ summary: null, error: null });
  });

  it('is made from the transcript, with the settings of the agent', async () => {
    const model = reader([saying('A table.')]);
    const llmConfig = untyped({ provider: 'scripted', model: 'large', temperature: 0.2, messages: [], tools: [] });
    await analyze([model], { ...summaryOnly, llmConfig });
    const [request] = model.requests;
    expect(request?.config).toMatchObject({ model: 'large', temperature: 0.2 });
    expect(request).toMatchObject({ orgId, tools: [] });
    expect(request?.messages.at(-1)?.content).toContain('Agent: Hello.\nCaller: A table for two.');
  });

  it('counts what the models bill', async () => {
    const usage = { type: 'usage' as const, usage: { inputTokens: 100, outputTokens: 10 } };
    const model = reader([[...saying('A table.'), usage]], [[...saying('{}'), usage]]);
    const price = { provider: 'scripted', kind: 'output_tokens' as const, price: 2 };
    const prices = new PriceList({ currency: 'EUR', prices: [{ ...price, per: 'thousand_tokens' }] });
    const { usage: items } = await analyze([model], both, { prices });
    expect(items).toMatchObject([
      { provider: 'scripted', kind: 'input_tokens', quantity: 200, own_key: false },
      { provider: 'scripted', kind: 'output_tokens', quantity: 20, price: 0.04 },
    ]);
  });
});

describe('a part that fails', () => {
  it('leaves the other part', async () => {
    const model = reader([[refused]]);
    expect(await analyze([model], both)).toMatchObject({
      summary: null,
      result: { people: 2 },
      error: 'summary: scripted: wrong key',
    });
    expect(warned).toEqual(['failed to produce the summary of a call']);
  });

  it('is named beside the other one', async () => {
    const model = reader([[refused]], [saying('no data')]);
    const { error } = await analyze([model], both);
    expect(error).toContain('summary: scripted: wrong key');
    expect(error).toContain('result: The model');
    expect(warned).toHaveLength(2);
  });

  it('has at most 2,000 characters of error', async () => {
    const model = reader([[new VaError('internal_error', 'x'.repeat(5_000))]]);
    const { error } = await analyze([model], summaryOnly);
    expect(error).toHaveLength(2_000);
  });

  it('is the structured data, which is not requested, if its schema cannot be checked', async () => {
    check = () => Promise.reject(new VaError('invalid_schema', 'The schema is invalid.'));
    const model = reader([saying('A table.')]);
    expect(await analyze([model], both)).toMatchObject({
      summary: 'A table.',
      result: null,
      error: 'result: The schema is invalid.',
    });
    expect(model.requests).toHaveLength(1);
  });
});

describe('a model that is unavailable', () => {
  it('is asked again after one second, and after five more', async () => {
    const model = reader([[down], [down], saying('A table.')]);
    const { summary, error, ms } = await outcome(analyze([model], summaryOnly));
    expect({ summary, error, ms }).toEqual({ summary: 'A table.', error: null, ms: 6_000 });
    expect(model.requests).toHaveLength(3);
  });

  it('is given up after three attempts', async () => {
    const model = reader([[down]]);
    const { summary, error } = await outcome(analyze([model], summaryOnly));
    expect({ summary, error }).toEqual({ summary: null, error: 'summary: scripted: overloaded' });
    expect(model.requests).toHaveLength(3);
  });

  it('is not asked again for an error that would come again', async () => {
    const model = reader([[refused]]);
    const { ms } = await outcome(analyze([model], summaryOnly));
    expect([model.requests.length, ms]).toEqual([1, 0]);
  });

  it('is replaced by a fallback at once', async () => {
    const second = scriptedLlm([saying('Of the second.')], { id: 'second' });
    const llmConfig = untyped({ ...both.llmConfig, fallbacks: [{ provider: 'second' }] });
    const { summary, ms } = await outcome(analyze([reader([[down]]), second], { ...summaryOnly, llmConfig }));
    expect([summary, ms]).toEqual(['Of the second.', 0]);
  });
});

describe('an analysis whose providers are not registered', () => {
  it('returns an error that names the missing provider', async () => {
    expect(await analyze([], both)).toEqual({
      summary: null,
      result: null,
      usage: [],
      error: 'analysis: There is no llm provider scripted; registered are: none.',
    });
    expect(warned).toEqual(['failed to produce the analysis of a call']);
  });

  it('uses the model without its fallbacks', async () => {
    const llmConfig = untyped({ ...both.llmConfig, fallbacks: [{ provider: 'gone' }] });
    expect(await analyze([reader([saying('A table.')])], { ...summaryOnly, llmConfig })).toMatchObject({
      summary: 'A table.',
      error: null,
    });
  });
});

describe('an organization with a key of its own', () => {
  const secret = (value: string | null): Vault => untyped({ get: async () => value });

  beforeEach(async () => {
    await storage.byokKeys.insert(
      orgId,
      untyped({
        id: recordId('7'),
        provider: 'scripted',
        secret_id: unknownId,
        name: null,
        hint: null,
        created_at: startedAt,
        updated_at: startedAt,
      }),
    );
  });

  it('is asked with that key', async () => {
    const model = reader([saying('A table.')]);
    await analyze([model], summaryOnly, { vault: secret('own-key') });
    expect(model.requests).toMatchObject([{ apiKey: 'own-key' }]);
  });

  it('gets no analysis with the key of the host if its own cannot be read', async () => {
    const model = reader([saying('A table.')]);
    const { summary, error } = await analyze([model], summaryOnly, { vault: secret(null) });
    expect(summary).toBeNull();
    expect(error).toBe("analysis: The organization's key for scripted is not in the vault. Set it again.");
    expect(model.requests).toEqual([]);
  });
});

describe('the end of the process', () => {
  it('ends an analysis with what is complete', async () => {
    const running = analyze([reader([[60_000, ...saying('Late.')]])], both);
    await clock.advance(100);
    over.abort();
    const { summary, result, error } = await outcome(running);
    expect({ summary, result }).toEqual({ summary: null, result: { people: 2 } });
    expect(error).toBe('summary: The request to the model was aborted.');
  });

  it('ends the wait for another attempt', async () => {
    const running = analyze([reader([[down], saying('Late.')])], summaryOnly);
    await clock.advance(100);
    over.abort();
    const { summary, error, ms } = await outcome(running);
    expect([summary, error, ms]).toEqual([null, 'summary: The request to the model was aborted.', 0]);
  });
});
