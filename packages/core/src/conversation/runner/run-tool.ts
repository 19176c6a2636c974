import type { FunctionTool } from '../../domain/agents/tool.ts';
import { toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ToolCallRequest } from '../../ports/providers/language-model.ts';
import type { Effect } from '../state/effects.ts';
import type { ToolOutcome } from '../state/tool-ledger.ts';
import type { ConversationRunner } from './runner.ts';

/** Runs a tool on the customer's server. */
export type RunTool = (
  call: ToolCallRequest,
  tool: FunctionTool,
  args: Record<string, unknown>,
) => Promise<ToolOutcome>;

interface ToolHost {
  readonly runner: ConversationRunner;
  readonly runTool: RunTool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** A tool's own limit is 10 s; if that is not kept, the caller must not be left without a reply. */
const limitMs = 15_000;

/** Runs a tool and dispatches its outcome to the conversation. Never rejects. */
export async function settleTool(
  { call, tool, arguments: args }: Extract<Effect, { type: 'run-tool' }>,
  { runner, runTool, clock, logger, signal }: ToolHost,
): Promise<void> {
  const running = runTool(call, tool, args).catch((thrown): ToolOutcome => {
    if (!signal.aborted) logger.warn({ err: toError(thrown) }, 'running a tool failed');
    return { ok: false, error: toError(thrown).message };
  });
  const outcome = await withinLimit(running, clock, signal);
  if (!signal.aborted) runner.dispatch({ type: 'tool-settled', callId: call.id, outcome });
}

async function withinLimit(running: Promise<ToolOutcome>, clock: Clock, signal: AbortSignal): Promise<ToolOutcome> {
  return await new Promise((resolve) => {
    const settle = (outcome: ToolOutcome): void => {
      timer.cancel();
      signal.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    const cancel = (): void => settle({ ok: false, error: 'cancelled: the call ended' });
    const late = (): void => settle({ ok: false, error: `timeout: no answer within ${limitMs / 1_000} seconds` });
    const timer = clock.setTimer(limitMs, late);
    signal.addEventListener('abort', cancel, { once: true });
    void running.then(settle);
  });
}
