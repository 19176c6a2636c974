import type { FunctionTool } from '../domain/tool.ts';
import { toError } from '../errors.ts';
import type { ToolCallRequest } from '../ports/language-model.ts';
import type { Logger } from '../ports/logger.ts';
import type { Effect } from './effects.ts';
import type { ConversationRunner } from './runner.ts';
import type { ToolOutcome } from './tool-ledger.ts';

/** Runs a tool on the customer's server. */
export type RunTool = (
  call: ToolCallRequest,
  tool: FunctionTool,
  args: Record<string, unknown>,
) => Promise<ToolOutcome>;

interface ToolHost {
  readonly runner: ConversationRunner;
  readonly runTool: RunTool;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Runs a tool and tells the conversation what came of it, whatever that is. Never rejects. */
export async function settleTool(
  { call, tool, arguments: args }: Extract<Effect, { type: 'run-tool' }>,
  { runner, runTool, logger, signal }: ToolHost,
): Promise<void> {
  const outcome = await runTool(call, tool, args).catch((thrown): ToolOutcome => {
    if (!signal.aborted) logger.warn({ err: toError(thrown) }, 'running a tool failed');
    return { ok: false, error: toError(thrown).message };
  });
  if (!signal.aborted) runner.dispatch({ type: 'tool-settled', callId: call.id, outcome });
}
