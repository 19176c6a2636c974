import { describe, expect, it } from 'vitest';
import {
  type AnalysisTask,
  analysisTaskOf,
  storedTask,
  taskToday,
} from '../../../src/after-call/analysis/analysis-task.ts';
import { type Assistant, emptyAssistant } from '../../../src/calls/assistant.ts';
import type { Call } from '../../../src/domain/calls/call.ts';
import { untyped } from '../../support/untyped.ts';

const own = { provider: 'text', messages: [{ role: 'system', content: 'Be brief.' }], tools: [{ type: 'endCall' }] };
const realtime = { ...own, provider: 'realtime' };
const chosen = { provider: 'chosen', messages: [], tools: [] };
const fallback = { provider: 'default', messages: [], tools: [] };
const schema = { type: 'object' };
const answered_at = '2026-01-01T09:00:00.000Z';
const said = (count: number) => Array.from({ length: count }, () => ({ role: 'user' as const, content: 'Hello.' }));

interface Facts {
  readonly call?: Partial<Call>;
  readonly plan?: object | null;
  readonly llm?: object | null;
  readonly defaultLlm?: object | null;
}

function taskOf({ call = {}, plan = null, llm = own, defaultLlm = null }: Facts): AnalysisTask | null {
  const assistant: Assistant = { ...emptyAssistant, analysisPlan: untyped(plan), llmConfig: untyped(llm) };
  return analysisTaskOf({
    call: { answered_at, messages: said(2), ...call },
    assistant,
    registry: untyped({ isRealtime: (id: string) => id === 'realtime' }),
    defaultLlm: untyped(defaultLlm),
  });
}

describe('analysisTaskOf', () => {
  it('asks for a summary alone by default, with the model of the agent but not its prompt and tools', () => {
    expect(taskOf({})).toEqual({
      llmConfig: { provider: 'text', messages: [], tools: [] },
      summary: { messages: [] },
      structured: null,
    });
  });

  it.each<[string, Facts, string | undefined]>([
    ['that of the plan', { plan: { llm_config: chosen }, defaultLlm: fallback }, 'chosen'],
    ['that of the agent', { defaultLlm: fallback }, 'text'],
    ['the default instead of a speech-to-speech model', { llm: realtime, defaultLlm: fallback }, 'default'],
    ['the default for an agent without one', { llm: null, defaultLlm: fallback }, 'default'],
    ['none without a text model', { llm: realtime }, undefined],
  ])('takes as model %s', (_case, facts, provider) => {
    expect(taskOf(facts)?.llmConfig.provider).toBe(provider);
  });

  it.each<[string, Facts]>([
    ['that was not answered', { call: { answered_at: null } }],
    ['with fewer messages than two', { call: { messages: said(1) } }],
    ['with fewer messages than the plan wants', { plan: { minMessagesThreshold: 3 } }],
    ['without any message, whatever the plan wants', { call: { messages: [] }, plan: { minMessagesThreshold: 0 } }],
    ['whose plan wants nothing', { plan: { summaryPlan: { enabled: false } } }],
    [
      'whose plan has switched everything off',
      { plan: { summaryPlan: { enabled: false }, structuredDataPlan: { enabled: false, schema, messages: [] } } },
    ],
  ])('is null for a call %s', (_case, facts) => {
    expect(taskOf(facts)).toBeNull();
  });

  it('is null without an assistant', () => {
    const facts = { call: { answered_at, messages: said(2) }, registry: untyped({}), defaultLlm: untyped(fallback) };
    expect(analysisTaskOf({ ...facts, assistant: null })).toBeNull();
  });

  it('takes the messages and the schema of the plan', () => {
    const messages = [{ role: 'system', content: 'In short.' }];
    const plan = {
      ...{ minMessagesThreshold: 2, summaryPlan: { enabled: true, messages } },
      structuredDataPlan: { enabled: true, schema, messages },
    };
    expect(taskOf({ plan })).toMatchObject({ summary: { messages }, structured: { schema, messages } });
    expect(taskOf({ plan: { ...plan, summaryPlan: { enabled: false } } })).toMatchObject({ summary: null });
  });
});

describe('the task of an analysis', () => {
  const endpoint = { provider: 'openai', url: 'https://models.example.com/v1', messages: [], tools: [] };
  const task: AnalysisTask = { llmConfig: { ...endpoint, api_key: 'k' }, summary: { messages: [] }, structured: null };

  it('is stored without secrets', () => {
    expect(storedTask(task)).toEqual({ ...task, llmConfig: endpoint });
  });

  it('has the secrets that the agent has today for the same endpoint', () => {
    const agent = { llm_config: { ...endpoint, api_key: 'k-2' } };
    expect(taskToday(storedTask(task), untyped(agent)).llmConfig).toEqual({ ...endpoint, api_key: 'k-2' });
  });

  it.each([
    ['has another endpoint', { llm_config: { ...endpoint, url: 'https://x.example/', api_key: 'k-2' } }],
    ['was deleted', null],
  ])('has none if the agent %s', (_case, agent) => {
    expect(taskToday(storedTask(task), untyped(agent)).llmConfig).toEqual(endpoint);
  });
});
