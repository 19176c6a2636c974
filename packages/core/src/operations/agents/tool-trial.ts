import { within } from '../../async/within.ts';
import { newCallRecord } from '../../calls/record/call-record.ts';
import { CallTools } from '../../calls/tools/call-tools.ts';
import { CallWebhooks } from '../../calls/webhooks/call-webhooks.ts';
import type { ExternalTool } from '../../conversation/state/tools/call-tool.ts';
import { toolName } from '../../domain/agents/tools/tool.ts';
import { type NewToolTrial, type ToolTrialAnswer, toolTrialSchema } from '../../domain/agents/tools/tool-trial.ts';
import type { ToolOutcome } from '../../domain/calls/tool-outcome.ts';
import { RequestError } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { parseInput } from '../../input/parse-input.ts';
import { checkId, requireFound } from '../../input/require-found.ts';
import type { Logger } from '../../ports/logger.ts';
import type { WebhookDispatcher } from '../../ports/webhooks.ts';
import { HostTools } from '../../tools/host-tools.ts';
import type { ToolSources } from '../../tools/tool-sources.ts';
import type { RecordDependencies } from '../dependencies.ts';

/** Longest time that a trial waits, whatever the tool's own limit is. */
const limitMs = 30_000;

export interface ToolTrialDependencies extends RecordDependencies {
  readonly tools: ToolSources | undefined;
  readonly webhooks: WebhookDispatcher;
  readonly logger: Logger;
}

/**
 * Runs a saved tool of an agent once, outside of a phone call. The tool gets a call record made for the trial, which is
 * not stored and whose metadata have `trial: true`.
 *
 * @throws RequestError 400 for the input, 404 `agent_not_found`, `tool_not_found`, 422 `tool_needs_call`
 */
export async function tryTool(
  { storage, clock, random, logger, webhooks, tools }: ToolTrialDependencies,
  orgId: string,
  agentId: string,
  input: NewToolTrial,
): Promise<ToolTrialAnswer> {
  checkId('agent', agentId);
  const { name, arguments: args } = parseInput(toolTrialSchema, input);
  const [agent, organization] = await Promise.all([
    storage.agents.get(orgId, agentId),
    storage.organizations.get(orgId, orgId),
  ]);
  const found = requireFound(agent, 'agent', agentId);
  const owner = requireFound(organization, 'organization', orgId);
  const call = {
    ...newCallRecord({ id: uuidv7(clock, random), direction: 'web', number: null, agent: found, clock }),
    metadata: { ...found.metadata, trial: true },
  };
  const log = logger.child({ agentId, trial: call.id });
  const hooks = new CallWebhooks({
    dispatcher: webhooks,
    organization: owner,
    agent: found,
    numberName: null,
    isRealtime: () => false,
    clock,
    logger: log,
  });
  const over = new AbortController();
  try {
    const opened = await CallTools.open(tools ?? { hostTools: new HostTools([], log), toolServers: undefined }, {
      organization: { id: orgId, name: owner.name },
      tools: found.llm_config?.tools ?? [],
      call: () => call,
      runInPage: async () => ({ ok: false, error: 'The tool runs in the web page of a caller.' }),
      runWebhook: (request, tool, given, signal) => hooks.runTool(call, request, tool, given, signal),
      clock,
      logger: log,
      signal: over.signal,
    });
    const tool = opened.list.find((each) => toolName(each) === name);
    if (tool === undefined) throw new RequestError(404, 'tool_not_found', `The agent has no tool ${name} now.`);
    if (!isExternal(tool)) throw new RequestError(422, 'tool_needs_call', `The tool ${name} only works in a call.`);
    const startedMs = clock.nowMs();
    const request = { id: `trial-${call.id}`, name, arguments: JSON.stringify(args) };
    const run = { signal: over.signal, say: () => {} };
    const outcome = (await within(limitMs, clock, opened.run(request, tool, args, run))) ?? tooLate;
    return { success: true, ...shown(outcome), latency_ms: Math.round(clock.nowMs() - startedMs) };
  } finally {
    over.abort();
  }
}

const tooLate: ToolOutcome = { ok: false, error: `timeout: no answer within ${limitMs / 1_000} seconds` };

function shown(outcome: ToolOutcome): Pick<ToolTrialAnswer, 'ok' | 'result' | 'error'> {
  return outcome.ok
    ? { ok: true, result: outcome.result ?? null, error: null }
    : { ok: false, result: null, error: outcome.error };
}

function isExternal(tool: { readonly type: string }): tool is ExternalTool {
  return tool.type === 'function' || tool.type === 'host' || tool.type === 'mcp';
}
