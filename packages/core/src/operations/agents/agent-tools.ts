import { z } from 'zod';
import { timestamp } from '../../clock/timestamp.ts';
import type { AgentRecord } from '../../domain/agents/agent.ts';
import { maxTools, type Tool, toolName, toolSchema } from '../../domain/agents/tools/tool.ts';
import type { ToolTemplateRecord } from '../../domain/agents/tools/tool-template.ts';
import { RequestError } from '../../errors.ts';
import { parseInput } from '../../input/parse-input.ts';
import { checkId, requireFound } from '../../input/require-found.ts';
import type { RecordDependencies } from '../dependencies.ts';
import { type AgentCheck, checkAgent } from './agent-checks.ts';

/** Body of `POST /agents/{id}/tools`. */
export const addToolSchema = z.strictObject({ tool_template_id: z.uuid() });

/** Id of the tool template to copy. */
export type NewAgentTool = z.input<typeof addToolSchema>;

/**
 * Copies a tool template, with the secret of its server, to the end of `llm_config.tools` of an agent. Later changes of
 * the template do not reach the agent.
 *
 * @throws RequestError 404 `agent_not_found`, `tool_template_not_found`; 409 `tool_exists`; 422 `agent_incomplete`,
 *   `too_many_tools`, `invalid_tool_template`
 */
export async function addTool(
  { storage, clock, check }: Pick<RecordDependencies, 'storage' | 'clock'> & { readonly check: AgentCheck },
  id: string,
  input: NewAgentTool,
): Promise<AgentRecord> {
  const { orgId } = check;
  checkId('agent', id);
  const { tool_template_id: templateId } = parseInput(addToolSchema, input);
  const present = requireFound(await storage.agents.get(orgId, id), 'agent', id);
  const template = requireFound(await storage.toolTemplates.get(orgId, templateId), 'tool_template', templateId);
  const tool = toolOf(template);
  // Before the transaction, because an MCP server may take its time.
  await checkAgent({ llm_config: withTool(present, tool) }, check);
  return await storage.transaction(async (tx) => {
    // Updated first to lock the agent, so that a concurrent addition waits.
    const agent = requireFound(await tx.agents.update(orgId, id, { updated_at: timestamp(clock) }), 'agent', id);
    return requireFound(await tx.agents.update(orgId, id, { llm_config: withTool(agent, tool) }), 'agent', id);
  });
}

function withTool({ llm_config: llm }: AgentRecord, tool: Tool): NonNullable<AgentRecord['llm_config']> {
  if (llm === null) {
    throw new RequestError(422, 'agent_incomplete', 'The agent has no llm_config for the tool. Set one first.');
  }
  const name = toolName(tool);
  // MCP servers have no name; their tools are checked with the agent.
  if (tool.type !== 'mcp' && llm.tools.some((each) => toolName(each) === name)) {
    throw new RequestError(409, 'tool_exists', `The agent has a tool named ${name} already.`);
  }
  if (llm.tools.length >= maxTools) {
    throw new RequestError(422, 'too_many_tools', `An agent has at most ${maxTools} tools.`);
  }
  return { ...llm, tools: [...llm.tools, tool] };
}

/** Validates again: the schema of tools may have become stricter since the template was stored. */
function toolOf({ id, tool_type, tool_config }: ToolTemplateRecord): Tool {
  const tool = toolSchema.safeParse({ ...tool_config, type: tool_type });
  if (tool.success) return tool.data;
  const message = `The tool template ${id} no longer makes a tool: its tool_config does not fit its tool_type.`;
  throw new RequestError(422, 'invalid_tool_template', message);
}
