import { aesVault } from '@va/core';
import { modelEndpointFields, systemRandom } from '@va/core/adapter';
import { scriptedLlm } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { storedTask, taskToday } from '../../../src/after-call/analysis/analysis-task.ts';
import { assistantOf } from '../../../src/calls/assistant.ts';
import { applyAnswer } from '../../../src/calls/webhooks/assistant-answer.ts';
import { faultsOf, orgId, refusal, testOperations } from '../support.ts';

const url = 'https://models.example.com/v1';
const secrets = ['key-0001', 'header-0002', 'key-0003', 'key-0004'];
const own = { provider: 'scripted', url, headers: { 'X-Team': 'header-0002' }, api_key: 'key-0001' };
const fallback = { provider: 'scripted', model: 'b', url, api_key: 'key-0003' };
const written = {
  name: 'A',
  llm_config: { ...own, fallbacks: [fallback] },
  analysis_plan: { llm_config: { provider: 'scripted', url: `${url}/analysis`, api_key: 'key-0004' } },
};

/** Accepts endpoints, and refuses those of one host. */
const provider = {
  ...scriptedLlm([]),
  optionsSchema: z.object(modelEndpointFields),
  checkOptions: async (config: Readonly<Record<string, unknown>>) =>
    String(config.url).includes('inside') ? [{ path: ['url'], message: 'refused' }] : [],
};

function setup() {
  const vault = aesVault({ key: Buffer.alloc(32, 7) });
  return testOperations({ providers: [provider], vault, random: systemRandom });
}

describe('the endpoint of an agent’s model', () => {
  it('is shown without its secrets, which are sealed at rest', async () => {
    const { operations, storage } = setup();
    const { id: org } = await operations.organizations.create({ name: 'Acme' });
    const shown = await operations.agents.create(org, written);
    expect(shown.llm_config?.url).toBe(url);
    for (const secret of secrets) expect(JSON.stringify(shown)).not.toContain(secret);
    const raw = JSON.stringify(await storage.agents.list(org, { limit: 1 }));
    for (const secret of secrets) expect(raw).not.toContain(secret);
  });

  it('keeps its secrets when it is written again for the same URL, and loses them with another one', async () => {
    const { operations, storage } = testOperations({ providers: [provider] });
    const { id, llm_config, analysis_plan } = await operations.agents.create(orgId, written);
    await operations.agents.update(orgId, id, { llm_config, analysis_plan });
    const kept = await storage.agents.get(orgId, id);
    expect(kept?.llm_config).toMatchObject({ api_key: 'key-0001', headers: own.headers });
    expect(kept?.llm_config?.fallbacks).toMatchObject([{ api_key: 'key-0003' }]);
    expect(kept?.analysis_plan?.llm_config).toMatchObject({ api_key: 'key-0004' });
    await operations.agents.update(orgId, id, { llm_config: { provider: 'scripted', url: 'https://other.example/' } });
    const moved = await storage.agents.get(orgId, id);
    expect(moved?.llm_config).not.toHaveProperty('api_key');
    expect(moved?.llm_config).not.toHaveProperty('headers');
  });

  it.each([
    [{ url: 'ftp://x.example/' }, 'llm_config.url invalid_field'],
    [{ url: 'https://inside.example/' }, 'llm_config.url invalid_field'],
    [{ url, fallbacks: [{ provider: 'scripted', url: 'https://inside.example/' }] }, 'llm_config.fallbacks.0.url'],
    [{ api_key: 'key' }, 'llm_config.url missing_field'],
    [{ url, headers: { Host: 'x' } }, 'llm_config.headers.Host invalid_field'],
    [{ url, headers: { a: 'x'.repeat(4_001) } }, 'llm_config.headers.a invalid_field'],
    [
      { url, headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'v'])) },
      'llm_config.headers invalid_field',
    ],
    [{ url, api_key: 'a b' }, 'llm_config.api_key invalid_field'],
    [{ url, api_key: 'x'.repeat(4_001) }, 'llm_config.api_key invalid_field'],
  ])('is refused when it is %j', async (config, fault) => {
    const { operations } = testOperations({ providers: [provider] });
    const llm_config = { provider: 'scripted', ...config };
    const error = await refusal(operations.agents.create(orgId, { name: 'A', llm_config }));
    expect(faultsOf(error).join()).toContain(fault);
  });

  it('is refused for a provider that has none', async () => {
    const { operations } = testOperations({ providers: [scriptedLlm([])] });
    const error = await refusal(operations.agents.create(orgId, { name: 'A', llm_config: own }));
    expect(faultsOf(error)).toContain('llm_config.url unknown_field');
  });

  it('keeps its secrets when the answer to an assistant-request repeats its URL', async () => {
    const { operations, storage } = testOperations({ providers: [provider] });
    const { id } = await operations.agents.create(orgId, written);
    const stored = await storage.agents.get(orgId, id);
    if (stored === null) throw new Error('The agent is not stored.');
    const config = { provider: 'scripted', messages: [], tools: [] };
    const same = applyAnswer(assistantOf(stored), { assistant: { llm_config: { ...config, url } } });
    expect(same.llmConfig).toMatchObject({ api_key: 'key-0001', headers: own.headers });
    const other = applyAnswer(assistantOf(stored), {
      assistant: { llm_config: { ...config, url: 'https://o.example' } },
    });
    expect(other.llmConfig).not.toHaveProperty('api_key');
  });

  it('is stored without its secrets in the job of an analysis, which takes them from the agent', async () => {
    const { operations, storage } = testOperations({ providers: [provider] });
    const { id } = await operations.agents.create(orgId, written);
    const agent = await storage.agents.get(orgId, id);
    const task = { llmConfig: { ...own, messages: [], tools: [] }, summary: null, structured: null };
    expect(JSON.stringify(storedTask(task))).not.toMatch(/key-0001|header-0002/);
    expect(taskToday(storedTask(task), agent).llmConfig).toMatchObject({ api_key: 'key-0001', headers: own.headers });
    expect(taskToday(storedTask(task), null).llmConfig).not.toHaveProperty('api_key');
  });
});
