import { type NewAgent, toolSchema, VaError } from '@va/core';
import { type Clock, InProcessJobs, systemClock, type WebhookDispatcher, type WebhookOutcome } from '@va/core/adapter';
import type { ReceivedToolCall } from '../scripted/customer-server.ts';
import { silentLogger } from '../silent-logger.ts';
import type { OutsideWork } from './outside-work.ts';

/** Second argument of a tool handler: the call, and virtual time. */
export interface ToolHandlerContext {
  readonly callId: string;
  /** Lets virtual time pass, as a slow server would. */
  wait(ms: number): Promise<void>;
}

/**
 * Runs a tool instead of the customer's server. Its return value is the result for the model; a thrown error is the
 * tool's error.
 */
export type ToolHandler = (args: Record<string, unknown>, context: ToolHandlerContext) => unknown;

/** A simulation that cannot begin. `code` is `missing_tool_handler` or `invalid_simulation`. */
export class InvalidSimulation extends VaError {}

/** Dependencies of the runner of an agent's tools. */
interface ToolRunnerOptions {
  readonly agent: NewAgent;
  readonly handlers: Readonly<Record<string, ToolHandler>>;
  /** URL at which tools without a handler are run for real. */
  readonly serverUrl: string | undefined;
  readonly clock: Clock;
  readonly work: OutsideWork;
}

/** Runs the tools of a simulated conversation. */
interface ToolRunner {
  run(call: ReceivedToolCall, signal: AbortSignal): Promise<WebhookOutcome>;
  close(): Promise<void>;
}

const toolTimeoutMs = 10_000;

/** @throws InvalidSimulation when the agent has a tool without a handler or URL */
export async function toolRunner({ agent, handlers, serverUrl, clock, work }: ToolRunnerOptions): Promise<ToolRunner> {
  const withoutHandler = functionTools(agent).filter(({ name }) => handlers[name] === undefined);
  const lost = withoutHandler.filter(({ url }) => url === undefined && serverUrl === undefined);
  if (lost.length > 0) {
    const names = lost.map(({ name }) => name).join(', ');
    throw new InvalidSimulation(
      'missing_tool_handler',
      `The agent has tools that nothing runs: ${names}. Give each a handler in \`tools\`, or a \`serverUrl\`.`,
    );
  }
  const server = withoutHandler.length === 0 ? null : await realServer();
  return {
    run: async (call, signal) => {
      const handler = handlers[call.name];
      if (handler !== undefined) return await work.during(handled(handler, call, clock, work));
      if (server === null) throw new InvalidSimulation('missing_tool_handler', `Nothing runs the tool ${call.name}.`);
      return await work.during(server.request(call.webhook, { timeoutMs: toolTimeoutMs, signal }));
    },
    close: async () => await server?.close({ drainMs: 0 }),
  };
}

async function handled(
  handler: ToolHandler,
  call: ReceivedToolCall,
  clock: Clock,
  work: OutsideWork,
): Promise<WebhookOutcome> {
  try {
    const result = await handler(call.arguments, { callId: call.id, wait: waiting(clock, work) });
    return { ok: true, status: 200, body: { result: result ?? null }, latencyMs: 0 };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message : String(thrown);
    return { ok: true, status: 200, body: { error }, latencyMs: 0 };
  }
}

/** Returns a function that lets virtual time pass within work that takes real time. */
export function waiting(clock: Clock, work: OutsideWork): ToolHandlerContext['wait'] {
  return async (ms) => await work.inside(new Promise<void>((resolve) => clock.setTimer(ms, resolve)));
}

function functionTools({ llm_config: llmConfig }: NewAgent): { name: string; url: string | undefined }[] {
  return (llmConfig?.tools ?? []).flatMap((written) => {
    const { data: tool } = toolSchema.safeParse(written);
    return tool?.type === 'function' ? [{ name: tool.name, url: tool.server?.url }] : [];
  });
}

/** Returns a dispatcher that sends signed requests as the service does. `@va/webhooks` is loaded only when needed. */
async function realServer(): Promise<WebhookDispatcher> {
  const { webhooks } = await import('@va/webhooks');
  const dispatcher = webhooks({ allowPrivateTargets: true });
  dispatcher.start({
    clock: systemClock,
    logger: silentLogger,
    jobs: new InProcessJobs(systemClock),
    settle: async () => {},
    targetOf: async () => null,
    disabled: async () => null,
    onAttempt() {},
  });
  return dispatcher;
}
