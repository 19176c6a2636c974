import type { CampaignPublisher } from '../../campaigns/status/campaign-publisher.ts';
import type { Clips } from '../../clips/clips.ts';
import { timestamp } from '../../clock/timestamp.ts';
import {
  type Agent,
  type AgentChanges,
  type AgentRecord,
  agentDefaults,
  createAgentSchema,
  type NewAgent,
  updateAgentSchema,
} from '../../domain/agents/agent.ts';
import { keepModelSecrets, withoutModelSecrets, withoutPlanSecrets } from '../../domain/agents/model-secrets.ts';
import { withKnownSecrets, withoutSecrets } from '../../domain/agents/tools/tool-secrets.ts';
import type { NewToolTrial, ToolTrialAnswer } from '../../domain/agents/tools/tool-trial.ts';
import { uuidv7 } from '../../ids.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { type PageQuery, parsePage } from '../../input/page-query.ts';
import { parseInput } from '../../input/parse-input.ts';
import { checkId, notFound, requireFound } from '../../input/require-found.ts';
import type { Provider } from '../../ports/providers/provider.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { SchemaChecker } from '../../schema/schema-checker.ts';
import { enableAgain } from '../../webhooks/endpoint-health.ts';
import { newWebhookSecret } from '../../webhooks/new-webhook-secret.ts';
import { rotated } from '../../webhooks/secret-rotation.ts';
import { type AgentCheck, checkAgent } from './agent-checks.ts';
import { addTool, type NewAgentTool } from './agent-tools.ts';
import { type ToolTrialDependencies, tryTool } from './tool-trial.ts';

/**
 * Every method throws a `RequestError` for invalid requests: 400 for the input, 404 `agent_not_found`; 400
 * `invalid_reference` for an unregistered provider, unless the host turned that check off; 422
 * `not_supported_in_realtime` for a setting that a speech-to-speech model does not support.
 */
export interface AgentOperations {
  /** Input: `createAgentSchema`. Fills absent fields with their defaults and generates a webhook secret. */
  create(orgId: string, input: NewAgent): Promise<Agent>;
  get(orgId: string, id: string): Promise<Agent>;
  /** Newest first. Query: `limit` (1–1000, default 1000), `offset`. */
  list(orgId: string, query?: PageQuery): Promise<Agent[]>;
  /** Input: `updateAgentSchema`. Changes the given keys only; a nested config is replaced as a whole. */
  update(orgId: string, id: string, input: AgentChanges): Promise<Agent>;
  /**
   * Input: `addToolSchema`. Copies a tool template to the end of the agent's tools. 404 `tool_template_not_found`, 409
   * `tool_exists`, 422 `agent_incomplete`, `too_many_tools` or `invalid_tool_template`.
   */
  addTool(orgId: string, id: string, input: NewAgentTool): Promise<Agent>;
  /**
   * Input: `toolTrialSchema`. Runs a saved tool of the agent once, outside of a call. 404 `tool_not_found`, 422
   * `tool_needs_call`.
   */
  tryTool(orgId: string, id: string, input: NewToolTrial): Promise<ToolTrialAnswer>;
  /** Deletes the agent, removes it from its phone numbers and pauses its campaigns. */
  delete(orgId: string, id: string): Promise<void>;
}

/** Creates the operations on agents; `createOperations` creates all groups. */
export function createAgentOperations(
  deps: ToolTrialDependencies & {
    readonly campaignPublisher: CampaignPublisher;
    /** Providers that agents may name; undefined if providers are not checked. */
    readonly checkedProviders?: readonly Provider[] | undefined;
    readonly schemas: Pick<SchemaChecker, 'faultsOf'>;
    /** Audio clips of the host; undefined if they are not checked. */
    readonly clips?: Pick<Clips, 'has'> | undefined;
  },
): AgentOperations {
  const { storage, clock, random, campaignPublisher, checkedProviders, schemas, tools, clips, currency } = deps;
  const checkOf = (orgId: string): AgentCheck => ({
    orgId,
    schemas,
    tools,
    clips,
    providers: checkedProviders,
    currency,
  });
  return {
    async create(orgId, input) {
      const written = omitUndefined(parseInput(createAgentSchema, input));
      await checkAgent(written, checkOf(orgId));
      const now = timestamp(clock);
      const agent: AgentRecord = {
        id: uuidv7(clock, random),
        ...agentDefaults,
        webhook_secret: newWebhookSecret(random),
        ...written,
        webhook_previous_secret: null,
        webhook_previous_secret_expires_at: null,
        created_at: now,
        updated_at: now,
      };
      await storage.agents.insert(orgId, agent);
      return toAgent(agent);
    },

    async get(orgId, id) {
      checkId('agent', id);
      return toAgent(requireFound(await storage.agents.get(orgId, id), 'agent', id));
    },

    async list(orgId, query = {}) {
      return (await storage.agents.list(orgId, parsePage(query))).map(toAgent);
    },

    async update(orgId, id, input) {
      checkId('agent', id);
      const changes = omitUndefined(parseInput(updateAgentSchema, input));
      const known = usesServers(changes) ? await storage.agents.get(orgId, id) : null;
      await checkAgent(known === null ? changes : { ...changes, ...keepSecrets(changes, known) }, checkOf(orgId));
      const updated = await storage.transaction(async (tx) => {
        const before = requireFound(await tx.agents.get(orgId, id), 'agent', id);
        if (changes.webhook_url !== undefined) await enableAgain(tx, orgId, changes.webhook_url);
        return await tx.agents.update(orgId, id, {
          ...changes,
          ...keepSecrets(changes, before),
          ...rotated(changes, before, clock),
          updated_at: timestamp(clock),
        });
      });
      return toAgent(requireFound(updated, 'agent', id));
    },

    async addTool(orgId, id, input) {
      return toAgent(await addTool({ storage, clock, check: checkOf(orgId) }, id, input));
    },

    tryTool: (orgId, id, input) => tryTool(deps, orgId, id, input),

    async delete(orgId, id) {
      checkId('agent', id);
      const agent = requireFound(await storage.agents.get(orgId, id), 'agent', id);
      const now = timestamp(clock);
      const calling = { agent_id: id, status: { in: ['scheduled', 'running'] as const } };
      const paused = { status: 'paused', status_reason: 'The agent was deleted.', updated_at: now } as const;
      const remove = async (tx: Records): Promise<true | null> => {
        await tx.numbers.updateMany(orgId, { where: { agent_id: id } }, { agent_id: null, updated_at: now });
        await tx.campaigns.updateMany(orgId, { where: calling }, paused);
        return (await tx.agents.delete(orgId, id)) || null;
      };
      const campaigns = await storage.campaigns.list(orgId, { where: calling, limit: 1_000 });
      const shown = campaigns.map((campaign) => ({ ...campaign, ...paused }));
      if ((await campaignPublisher.store(orgId, shown, remove, agent)) === null) throw notFound('agent', id);
    },
  };
}

/** Converts a record to its API form. */
function toAgent(record: AgentRecord): Agent {
  const { webhook_previous_secret: _secret, webhook_previous_secret_expires_at: _expiry, ...agent } = record;
  const { llm_config: llm, analysis_plan: plan } = agent;
  return {
    ...agent,
    llm_config: llm === null ? null : { ...withoutModelSecrets(llm), tools: withoutSecrets(llm.tools) },
    analysis_plan: plan === null ? null : withoutPlanSecrets(plan),
  };
}

/** Returns the written models and tools. Those written without secrets keep the stored ones of the same URL. */
function keepSecrets(written: Partial<Agent>, before: Agent): Partial<Agent> {
  const kept = keepModelSecrets(written, before);
  const { llm_config: llm } = kept;
  if (llm === undefined || llm === null) return kept;
  return { ...kept, llm_config: { ...llm, tools: withKnownSecrets(llm.tools, before.llm_config?.tools ?? []) } };
}

/** Returns true if the check of the agent connects to MCP servers, which needs their stored headers. */
function usesServers({ llm_config: written }: Partial<Agent>): boolean {
  return written?.tools.some(({ type }) => type === 'mcp') ?? false;
}
