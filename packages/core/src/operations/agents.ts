import { timestamp } from '../clock/timestamp.ts';
import { type Agent, agentDefaults, createAgentSchema, updateAgentSchema } from '../domain/agent.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import type { Provider } from '../ports/provider.ts';
import type { RecordDependencies } from './dependencies.ts';
import { checkId, found, notFound } from './found.ts';
import { given } from './given.ts';
import { checkFallbacks } from './known-fallbacks.ts';
import { parsePage } from './page-query.ts';
import { parseInput } from './parse-input.ts';

/**
 * Every method throws a `RequestError` for what the caller did wrong: 400 for the input, 404 `agent_not_found`. A fallback that the
 * deployment does not have is a 400 `invalid_reference`.
 */
export interface AgentOperations {
  /** Input: `createAgentSchema`. Absent fields get their defaults, and a webhook secret is generated. */
  create(orgId: string, input: unknown): Promise<Agent>;
  get(orgId: string, id: string): Promise<Agent>;
  /** Newest first. Query: `limit` (1–1000, default 1000), `offset`. */
  list(orgId: string, query?: unknown): Promise<Agent[]>;
  /** Input: `updateAgentSchema`. Changes the given keys only; a nested config is replaced whole. */
  update(orgId: string, id: string, input: unknown): Promise<Agent>;
  /** Also takes the agent off its phone numbers, and pauses the campaigns that it calls for. */
  delete(orgId: string, id: string): Promise<void>;
}

export function createAgentOperations({
  storage,
  clock,
  random,
  providers = [],
}: RecordDependencies & { readonly providers?: readonly Provider[] }): AgentOperations {
  return {
    async create(orgId, input) {
      const written = given(parseInput(createAgentSchema, input));
      checkFallbacks(written, providers);
      const now = timestamp(clock);
      const agent: Agent = {
        id: uuidv7(clock, random),
        ...agentDefaults,
        webhook_secret: newWebhookSecret(random),
        ...written,
        created_at: now,
        updated_at: now,
      };
      await storage.agents.insert(orgId, agent);
      return agent;
    },

    async get(orgId, id) {
      checkId('agent', id);
      return found(await storage.agents.get(orgId, id), 'agent', id);
    },

    async list(orgId, query = {}) {
      return await storage.agents.list(orgId, parsePage(query));
    },

    async update(orgId, id, input) {
      checkId('agent', id);
      const changes = given(parseInput(updateAgentSchema, input));
      checkFallbacks(changes, providers);
      const updated = await storage.agents.update(orgId, id, { ...changes, updated_at: timestamp(clock) });
      return found(updated, 'agent', id);
    },

    async delete(orgId, id) {
      checkId('agent', id);
      const deleted = await storage.transaction(async (tx) => {
        const now = timestamp(clock);
        await tx.numbers.updateMany(orgId, { where: { agent_id: id } }, { agent_id: null, updated_at: now });
        await tx.campaigns.updateMany(
          orgId,
          { where: { agent_id: id, status: { in: ['scheduled', 'running'] } } },
          { status: 'paused', status_reason: 'The agent was deleted.', updated_at: now },
        );
        return await tx.agents.delete(orgId, id);
      });
      if (!deleted) throw notFound('agent', id);
    },
  };
}

/** @see Standard Webhooks, "Signing secret" */
function newWebhookSecret(random: RandomBytes): string {
  return `whsec_${Buffer.from(random(32)).toString('base64')}`;
}
