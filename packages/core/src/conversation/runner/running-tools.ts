import type { ToolOutcome } from '../../domain/calls/tool-outcome.ts';
import { toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ToolCallRequest } from '../../ports/providers/language-model.ts';
import type { Effect } from '../state/effects.ts';
import type { ExternalTool } from '../state/tools/call-tool.ts';
import type { ConversationRunner } from './runner.ts';

/** Callbacks and signal that a running tool gets from its conversation. */
export interface ToolRun {
  /** Aborted after a timeout; also when the tool is cancelled or the call ends, unless the tool is async. */
  readonly signal: AbortSignal;
  /** Says a text to the caller, unless the caller is speaking or the call is ending. */
  say(text: string): void;
}

/** Runs a tool outside of the conversation. */
export type RunTool = (
  call: ToolCallRequest,
  tool: ExternalTool,
  args: Record<string, unknown>,
  run: ToolRun,
) => Promise<ToolOutcome>;

export interface RunningToolsOptions {
  readonly runner: ConversationRunner;
  readonly runTool: RunTool;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborted at the end of the call. */
  readonly signal: AbortSignal;
}

/**
 * Added to the time limit that a tool has to keep itself. After both, the tool call fails, so that the caller gets a
 * reply.
 */
const graceMs = 5_000;

/** The tools that run for one conversation. */
export class RunningTools {
  readonly #options: RunningToolsOptions;
  /** By the id of the tool call, while it is pending. */
  readonly #pending = new Map<string, (outcome: ToolOutcome) => void>();

  constructor(options: RunningToolsOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#endAll(), { once: true });
  }

  /** Runs a tool and dispatches its outcome to the conversation. */
  run({ call, tool, arguments: args }: Extract<Effect, { type: 'run-tool' }>): void {
    const { runner, runTool, clock, logger, signal } = this.#options;
    if (signal.aborted) return;
    const abort = new AbortController();
    const limitMs = tool.timeoutMs + graceMs;
    const settle = (outcome: ToolOutcome): void => {
      timer.cancel();
      if (!this.#pending.delete(call.id)) return;
      if (!signal.aborted) runner.dispatch({ type: 'tool-settled', callId: call.id, outcome });
    };
    const stop = (outcome: ToolOutcome): void => {
      settle(outcome);
      abort.abort();
    };
    const late = (): void => stop({ ok: false, error: `timeout: no answer within ${limitMs / 1_000} seconds` });
    const timer = clock.setTimer(limitMs, late);
    this.#pending.set(call.id, (outcome) => {
      // The conversation does not wait for an async tool, so that it may go on after the end of the call.
      if (tool.async) settle(outcome);
      else stop(outcome);
    });
    const say = (text: string): void => {
      if (!signal.aborted && this.#pending.has(call.id)) runner.dispatch({ type: 'tool-says', text });
    };
    void runTool(call, tool, args, { signal: abort.signal, say }).then(settle, (thrown: unknown) => {
      if (!signal.aborted) logger.warn({ err: toError(thrown) }, 'running a tool failed');
      settle({ ok: false, error: toError(thrown).message });
    });
  }

  /** Cancels a tool whose result is no longer wanted. */
  cancel(callId: string): void {
    this.#pending.get(callId)?.({ ok: false, error: 'cancelled' });
  }

  #endAll(): void {
    for (const end of [...this.#pending.values()]) end({ ok: false, error: 'cancelled: the call ended' });
  }
}
