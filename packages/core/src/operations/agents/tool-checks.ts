import type { McpTool, Tool } from '../../domain/agents/tools/tool.ts';
import { maxTools, toolName } from '../../domain/agents/tools/tool.ts';
import { type FieldFault, toError } from '../../errors.ts';
import { servedToolsOf } from '../../tools/served-tools.ts';
import type { ToolSources } from '../../tools/tool-sources.ts';

/** Time in which an MCP server has to list its tools for the check. */
const listTimeoutMs = 8_000;

interface ToolCheck {
  readonly orgId: string;
  readonly tools: ToolSources | undefined;
}

/** Returns the faults of references to tools of the host and of MCP servers. */
export async function toolFaults(tools: readonly Tool[], check: ToolCheck): Promise<FieldFault[]> {
  const deps = check.tools;
  if (deps === undefined) return [];
  const names = new Set(tools.flatMap((tool) => (tool.type === 'mcp' ? [] : [toolName(tool)])));
  const found = await Promise.all(
    tools.map(async (tool, at): Promise<FieldFault[]> => {
      if (tool.type === 'host') return await hostFaults(tool.name, at, deps, check);
      return tool.type === 'mcp' ? await serverFaults(tool, at, names, deps, check) : [];
    }),
  );
  return found.flat();
}

async function hostFaults(
  name: string,
  at: number,
  { hostTools }: ToolSources,
  { orgId }: ToolCheck,
): Promise<FieldFault[]> {
  if ((await hostTools.find(orgId, name)) !== null) return [];
  const message = `the host offers no tool ${name} to this organization`;
  return [{ path: `llm_config.tools.${at}.name`, code: 'invalid_reference', message }];
}

async function serverFaults(
  reference: McpTool,
  at: number,
  names: ReadonlySet<string>,
  { toolServers }: ToolSources,
  { orgId }: ToolCheck,
): Promise<FieldFault[]> {
  const path = `llm_config.tools.${at}`;
  const { server, allow } = reference;
  if (toolServers === undefined) {
    return [{ path, code: 'invalid_reference', message: 'this service has no client for MCP servers' }];
  }
  const session = toolServers.open({ server, orgId, callId: null });
  try {
    const served = await session.list({ timeoutMs: listTimeoutMs });
    const listed = new Set(served.map(({ name }) => name));
    const unknown = (allow ?? []).filter((name) => !listed.has(name));
    const faults = unknown.map((name) => ({
      path: `${path}.allow`,
      code: 'invalid_reference',
      message: `the server has no tool ${name}`,
    }));
    const taken = servedToolsOf(served, reference).filter(({ name }) => names.has(name));
    const collisions = taken.map(({ name }) => ({
      path: `${path}.prefix`,
      code: 'invalid_field',
      message: `duplicate tool name ${name}: use a prefix, or leave the tool out by allow`,
    }));
    if (names.size + served.length > maxTools && allow === undefined) {
      const message = `the server has ${served.length} tools; an agent has ${maxTools} at most: choose some by allow`;
      return [...faults, ...collisions, { path, code: 'invalid_field', message }];
    }
    return [...faults, ...collisions];
  } catch (thrown) {
    return [{ path: `${path}.server`, code: 'tool_server_failed', message: toError(thrown).message }];
  } finally {
    session.close();
  }
}
