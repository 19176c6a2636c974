import type { RunTool, ToolRun } from '../../conversation/runner/running-tools.ts';
import {
  type CallTool,
  defaultToolTimeoutMs,
  type ExternalTool,
  webhookTool,
} from '../../conversation/state/tools/call-tool.ts';
import type { FunctionTool, HostToolReference, McpTool, Tool } from '../../domain/agents/tools/tool.ts';
import { maxTools, toolName } from '../../domain/agents/tools/tool.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { ToolOutcome } from '../../domain/calls/tool-outcome.ts';
import { toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ToolCallRequest } from '../../ports/providers/language-model.ts';
import type { ToolServerSession } from '../../ports/tool-servers.ts';
import type { HostTool } from '../../tools/define-tool.ts';
import { runHostTool } from '../../tools/run-host-tool.ts';
import { servedToolsOf } from '../../tools/served-tools.ts';
import type { ToolSources } from '../../tools/tool-sources.ts';

/** Maximum extra ringing time while MCP servers list the agent's tools. */
const listTimeoutMs = 3_000;

export interface CallToolsOptions {
  readonly organization: { readonly id: string; readonly name: string };
  readonly tools: readonly Tool[];
  /** Returns the present record of the call. */
  readonly call: () => Call;
  /** Runs a tool in the web page of the caller. */
  readonly runInPage: (
    request: ToolCallRequest,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ) => Promise<ToolOutcome>;
  /** Runs a tool on the customer's server. */
  readonly runWebhook: (
    request: ToolCallRequest,
    tool: FunctionTool,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ) => Promise<ToolOutcome>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborted at the end of the call. */
  readonly signal: AbortSignal;
}

type Runner = (request: ToolCallRequest, args: Record<string, unknown>, run: ToolRun) => Promise<ToolOutcome>;

/** The tools of one call: those of its agent, wherever they run. */
export class CallTools {
  /** The tools as the conversation gets them. Names are unique. */
  readonly list: readonly CallTool[];
  readonly #runners: ReadonlyMap<string, Runner>;

  /** Looks up the host's tools and lists those of MCP servers. Tools that are not available are left out and logged. */
  static async open(deps: ToolSources, options: CallToolsOptions): Promise<CallTools> {
    const found = await Promise.all(options.tools.map((tool) => resolved(deps, options, tool)));
    const list: CallTool[] = [];
    const runners = new Map<string, Runner>();
    for (const { tool, runner } of found.flat()) {
      const name = toolName(tool);
      if (runners.has(name) || list.some((each) => toolName(each) === name) || list.length >= maxTools) {
        options.logger.warn({ tool: name }, 'a tool is left out: its name is taken, or there are too many');
        continue;
      }
      list.push(tool);
      if (runner !== null) runners.set(name, runner);
    }
    return new CallTools(list, runners);
  }

  private constructor(list: readonly CallTool[], runners: ReadonlyMap<string, Runner>) {
    this.list = list;
    this.#runners = runners;
  }

  readonly run: RunTool = async (request, tool, args, run) => {
    const runner = this.#runners.get(tool.name);
    return runner === undefined ? { ok: false, error: `There is no tool ${tool.name}.` } : runner(request, args, run);
  };
}

interface ResolvedTool {
  readonly tool: CallTool;
  /** Null for a tool that the conversation itself executes: `endCall`, `transferCall` or `pressKeys`. */
  readonly runner: Runner | null;
}

async function resolved(deps: ToolSources, options: CallToolsOptions, tool: Tool): Promise<readonly ResolvedTool[]> {
  switch (tool.type) {
    case 'function':
      return [
        {
          tool: webhookTool(tool),
          runner: (request, args, { signal }) =>
            tool.runs === 'client'
              ? options.runInPage(request, args, signal)
              : options.runWebhook(request, tool, args, signal),
        },
      ];
    case 'host':
      return await ofHost(deps, options, tool);
    case 'mcp':
      return await ofServer(deps, options, tool);
    default:
      return [{ tool, runner: null }];
  }
}

async function ofHost(
  { hostTools }: ToolSources,
  { organization, logger, clock, call }: CallToolsOptions,
  reference: HostToolReference,
): Promise<readonly ResolvedTool[]> {
  const tool = await hostTools.find(organization.id, reference.name);
  if (tool === null) {
    logger.warn({ tool: reference.name }, 'a tool is left out: the host does not offer it to this organization');
    return [];
  }
  const runner: Runner = (request, args, { signal, say }) => {
    const record = call();
    return runHostTool(tool, args, {
      call: record,
      organization,
      variables: record.variables ?? {},
      logger: logger.child({ tool: tool.name, toolCallId: request.id }),
      signal,
      say,
      toolCallId: request.id,
      idempotencyKey: `${record.id}:${request.id}`,
      clock,
    });
  };
  return [{ tool: externalTool(tool, reference), runner }];
}

function externalTool(tool: HostTool, { description, message }: HostToolReference): ExternalTool {
  const { name, parameters, async, timeoutMs, cancelOnInterruption } = tool;
  return {
    type: 'host',
    name,
    description: description ?? tool.description,
    parameters,
    async,
    message: message ?? tool.message,
    timeoutMs,
    cancelOnInterruption,
  };
}

async function ofServer(
  { toolServers }: ToolSources,
  { organization, call, logger, signal }: CallToolsOptions,
  reference: McpTool,
): Promise<readonly ResolvedTool[]> {
  if (toolServers === undefined) {
    logger.warn({}, 'the tools of an MCP server are left out: the service has no client for it');
    return [];
  }
  const session = toolServers.open({ server: reference.server, orgId: organization.id, callId: call().id, logger });
  if (signal.aborted) session.close();
  else signal.addEventListener('abort', () => session.close(), { once: true });
  try {
    const served = await session.list({ timeoutMs: listTimeoutMs });
    return servedToolsOf(served, reference).map(({ name, served: { name: nameThere, description, parameters } }) => ({
      tool: {
        type: 'mcp',
        name,
        description,
        parameters,
        async: false,
        message: reference.message,
        timeoutMs: reference.timeout_ms ?? defaultToolTimeoutMs,
        cancelOnInterruption: false,
      },
      runner: servedBy(session, nameThere, reference.timeout_ms ?? defaultToolTimeoutMs),
    }));
  } catch (thrown) {
    logger.warn({ err: toError(thrown) }, 'the tools of an MCP server are left out: it does not list them');
    return [];
  }
}

function servedBy(session: ToolServerSession, name: string, timeoutMs: number): Runner {
  return (request, args, { signal }) =>
    session.call({ name, arguments: args, toolCallId: request.id, timeoutMs, signal });
}
