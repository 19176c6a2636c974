import { memory } from '@va/storage/memory';
import { sampleAgent, scriptedLlm, scriptedStt, scriptedTts, silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Resolution, resolveAssistant } from '../../../src/calls/origin/resolve-assistant.ts';
import { ProviderRegistry } from '../../../src/calls/session/provider-registry.ts';
import type { AssistantAnswer } from '../../../src/calls/webhooks/assistant-answer.ts';
import {
  type AgentRecord,
  llmConfigSchema,
  sttConfigSchema,
  ttsConfigSchema,
} from '../../../src/domain/agents/agent.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { organizationOf, orgId } from '../../operations/support.ts';
import { sampleNumber } from '../../support/sample-records.ts';

const registry = new ProviderRegistry([
  scriptedStt(),
  scriptedLlm([]),
  scriptedLlm([], { id: 'other' }),
  scriptedTts(),
]);
const llm = (provider: string) => llmConfigSchema.parse({ provider });
const complete = {
  stt_config: sttConfigSchema.parse({ provider: 'scripted' }),
  llm_config: llm('scripted'),
  tts_config: ttsConfigSchema.parse({ provider: 'scripted' }),
};
const overrides = {
  stt_config: complete.stt_config,
  llm_config: complete.llm_config,
  tts_config: complete.tts_config,
};
const saved = sampleAgent({ name: 'Anna', first_message: 'Hello.', ...complete });

let storage: Storage;
let warnings: string[];

beforeEach(async () => {
  storage = memory();
  warnings = [];
  await storage.organizations.insert(orgId, organizationOf(orgId, new VirtualClock()));
});

function resolve(answer: AssistantAnswer | null, agent: AgentRecord | null = saved): Promise<Resolution> {
  const logger = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) };
  const route = { organization: organizationOf(orgId, new VirtualClock()), number: sampleNumber(), agent };
  return resolveAssistant({ storage, registry, logger }, route, answer);
}

async function otherAgent(changes: Partial<AgentRecord> = {}): Promise<string> {
  const other = sampleAgent({ name: 'Bob', ...complete, ...changes });
  await storage.agents.insert(orgId, other);
  return other.id;
}

describe('resolveAssistant', () => {
  it('returns the saved agent without a response, or with an empty one', async () => {
    for (const answer of [null, {}]) {
      expect(await resolve(answer)).toMatchObject({
        agent: { name: 'Anna' },
        assistant: { firstMessage: 'Hello.' },
        rejection: null,
      });
    }
    expect(warnings).toEqual([]);
  });

  it('replaces the blocks that the server gives', async () => {
    const { assistant } = await resolve({ assistant: { firstMessage: 'Good evening.', llm_config: llm('other') } });
    expect(assistant).toMatchObject({ firstMessage: 'Good evening.', llmConfig: { provider: 'other' }, name: 'Anna' });
  });

  it('returns another agent that the server names', async () => {
    const id = await otherAgent();
    const { agent, assistant } = await resolve({ assistantId: id, assistantOverride: { firstMessage: null } });
    expect([agent?.id, assistant.name, assistant.firstMessage]).toEqual([id, 'Bob', null]);
  });

  it.each<[string, () => Promise<string>]>([
    ['does not exist', async () => sampleAgent().id],
    ['is not active', () => otherAgent({ is_active: false })],
  ])('keeps the agent of the number if the named one %s', async (_what, idOf) => {
    const { agent } = await resolve({ assistantId: await idOf() });
    expect(agent?.name).toBe('Anna');
    expect(warnings).toHaveLength(1);
  });

  it('uses the saved agent if the answer names providers that are not there', async () => {
    const { assistant } = await resolve({ assistant: { firstMessage: 'Good evening.', llm_config: llm('gone') } });
    expect(assistant).toMatchObject({ firstMessage: 'Hello.', llmConfig: { provider: 'scripted' } });
    expect(warnings).toHaveLength(1);
  });

  it('rejects if the saved agent cannot be served either', async () => {
    const incomplete = { ...saved, tts_config: null };
    await expect(resolve(null, incomplete)).rejects.toMatchObject({ code: 'agent_incomplete' });
    const answer = { assistant: { llm_config: llm('gone') } };
    await expect(resolve(answer, incomplete)).rejects.toMatchObject({ code: 'agent_incomplete' });
  });
});

describe('a number without an agent', () => {
  it('refuses the call', async () => {
    await expect(resolve(null, null)).rejects.toMatchObject({
      ending: { reason: 'no_agent' },
      rejection: 'unavailable',
    });
  });

  it('refuses the call with the message of the server', async () => {
    await expect(resolve({ error: 'We are closed.' }, null)).rejects.toMatchObject({
      ending: { reason: 'rejected_by_webhook', error: 'We are closed.' },
      rejection: 'declined',
    });
  });

  it('takes the call with an agent that the server describes or names', async () => {
    const described = await resolve({ assistant: { ...overrides, firstMessage: 'Hi.' } }, null);
    expect([described.agent, described.assistant.firstMessage]).toEqual([null, 'Hi.']);
    expect((await resolve({ assistantId: await otherAgent() }, null)).agent?.name).toBe('Bob');
  });

  it('does not take a description that is incomplete', async () => {
    await expect(resolve({ assistant: { firstMessage: 'Hi.' } }, null)).rejects.toMatchObject({
      code: 'agent_incomplete',
    });
  });
});

describe('a rejection', () => {
  it.each([
    ['We are closed.', 'We are closed.'],
    ['  ', null],
    [null, null],
    [undefined, null],
  ])('of "%s" is said to the caller as "%s"', async (error, rejection) => {
    expect((await resolve(error === undefined ? {} : { error })).rejection).toBe(rejection);
  });
});
