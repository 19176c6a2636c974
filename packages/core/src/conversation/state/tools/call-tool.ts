import type { EndCallTool, FunctionTool, PressKeysTool, TransferCallTool } from '../../../domain/agents/tools/tool.ts';

/** A tool that runs outside of the conversation: on a customer's server, in the host's process, on an MCP server. */
export interface ExternalTool {
  readonly type: 'function' | 'host' | 'mcp';
  /** The name under which the model calls it. */
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of type object. */
  readonly parameters: Record<string, unknown>;
  /** True if the conversation goes on without its result. */
  readonly async: boolean;
  /** Spoken while the tool runs. */
  readonly message?: string | undefined;
  /** Time in which the tool has to answer, in milliseconds. */
  readonly timeoutMs: number;
  /** True if the running tool is cancelled when the caller says something else, or a supervisor takes over. */
  readonly cancelOnInterruption: boolean;
}

/** A tool of one conversation. */
export type CallTool = ExternalTool | EndCallTool | TransferCallTool | PressKeysTool;

/** Time in which a customer's server has to answer. */
export const defaultToolTimeoutMs = 10_000;

/** Returns the tool of a customer's server. */
export function webhookTool({ type, name, description, parameters, async, message }: FunctionTool): ExternalTool {
  const timing = { timeoutMs: defaultToolTimeoutMs, cancelOnInterruption: false };
  return { type, name, description, parameters, async, message, ...timing };
}
