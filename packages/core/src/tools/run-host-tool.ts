import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ToolOutcome } from '../domain/calls/tool-outcome.ts';
import { toError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import { type HostTool, type ToolContext, ToolError } from './define-tool.ts';

/** Limit of a result as JSON, the same as for the response of a customer's server. */
const maxResultBytes = 1_048_576;
const maxIssues = 5;

/** Runs a tool of the host. Never rejects, and resolves at the tool's timeout at the latest. */
export async function runHostTool(
  tool: HostTool,
  args: Record<string, unknown>,
  { clock, signal, ...context }: ToolContext & { readonly clock: Clock },
): Promise<ToolOutcome> {
  const abort = new AbortController();
  return await new Promise((resolve) => {
    const stop = (error: string): void => {
      finish({ ok: false, error });
      abort.abort();
    };
    const cancel = (): void => stop('cancelled');
    const finish = (outcome: ToolOutcome): void => {
      timer.cancel();
      signal.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    const timer = clock.setTimer(tool.timeoutMs, () =>
      stop(`timeout: no answer within ${tool.timeoutMs / 1_000} seconds`),
    );
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    else void executed(tool, args, { ...context, signal: abort.signal }).then(finish);
  });
}

async function executed(tool: HostTool, args: Record<string, unknown>, context: ToolContext): Promise<ToolOutcome> {
  try {
    // Synchronous validators return no promise; the tool then starts without waiting.
    const validating = tool.schema['~standard'].validate(args);
    const validated = validating instanceof Promise ? await validating : validating;
    if (validated.issues !== undefined) return { ok: false, error: invalidArguments(validated.issues) };
    return resultOf(await tool.execute(validated.value, context));
  } catch (thrown) {
    if (thrown instanceof ToolError) return { ok: false, error: thrown.message };
    const fields = { err: toError(thrown) };
    if (context.signal.aborted) context.logger.debug(fields, 'an aborted tool ended with an error');
    else context.logger.error(fields, 'a tool failed');
    return { ok: false, error: 'The tool failed.' };
  }
}

/** @throws TypeError for a value that JSON cannot express, RangeError for a result that is too large */
function resultOf(value: unknown): ToolOutcome {
  const json = JSON.stringify(value ?? null) ?? 'null';
  if (Buffer.byteLength(json) > maxResultBytes)
    throw new RangeError(`The result has more than ${maxResultBytes} bytes.`);
  // A copy, so that later changes by the tool do not reach the record of the call.
  return { ok: true, result: JSON.parse(json) };
}

function invalidArguments(issues: readonly StandardSchemaV1.Issue[]): string {
  const texts = issues.slice(0, maxIssues).map(({ message, path }) => {
    const keys = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
    return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
  });
  return `invalid arguments: ${texts.join('; ')}`;
}
