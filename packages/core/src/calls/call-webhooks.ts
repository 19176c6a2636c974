import type { ToolOutcome } from '../conversation/tool-ledger.ts';
import type { Agent } from '../domain/agent.ts';
import type { Call } from '../domain/call.ts';
import type { Organization } from '../domain/organization.ts';
import type { FunctionTool } from '../domain/tool.ts';
import type { ToolCallRequest } from '../ports/language-model.ts';
import type { Logger } from '../ports/logger.ts';
import type {
  WebhookDispatcher,
  WebhookEvent,
  WebhookMessage,
  WebhookOutcome,
  WebhookTarget,
} from '../ports/webhooks.ts';
import type { Assistant, AssistantAnswer } from './assistant.ts';
import { parseAssistantAnswer } from './assistant.ts';
import { toolResults } from './tool-answer.ts';
import {
  assistantMessage,
  assistantRequestMessage,
  commonMessage,
  endingMessage,
  reportMessage,
  toolCallList,
} from './webhook-messages.ts';

const assistantRequestTimeoutMs = 5_000;
const toolTimeoutMs = 10_000;

export interface CallWebhooksOptions {
  readonly dispatcher: WebhookDispatcher;
  readonly organization: Organization;
  readonly agent: Agent | null;
  readonly numberName: string | null;
  readonly logger: Logger;
}

/** What the customer's server is asked and told about one call. */
export class CallWebhooks {
  readonly #options: CallWebhooksOptions;
  #assistant: Assistant | null = null;

  constructor(options: CallWebhooksOptions) {
    this.#options = options;
  }

  /** Later messages show this configuration. */
  resolved(assistant: Assistant): void {
    this.#assistant = assistant;
  }

  /** Null where the server is not asked, does not answer in time, or answers nonsense. */
  async askForAssistant(call: Call, signal: AbortSignal): Promise<AssistantAnswer | null> {
    const { agent, numberName, logger, dispatcher } = this.#options;
    const target = this.#target();
    const wanted = agent === null || (agent.webhook_events ?? []).includes('assistant-request');
    if (target === null || !wanted) return null;
    const message = {
      event: 'assistant-request' as const,
      target,
      callId: call.id,
      message: assistantRequestMessage(call, numberName),
    };
    const outcome = await dispatcher.request(message, { timeoutMs: assistantRequestTimeoutMs, signal });
    const answer = outcome.ok ? parseAssistantAnswer(outcome.body) : null;
    if (answer === null)
      logger.warn(
        { outcome: describe(outcome) },
        'assistant-request gave no usable answer; the saved agent serves the call',
      );
    return answer;
  }

  /** Runs a tool on the customer's server. Never rejects: whatever goes wrong is the tool's outcome. */
  async runTool(
    call: Call,
    request: ToolCallRequest,
    tool: FunctionTool,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ToolOutcome> {
    const target = this.#target(tool);
    if (target === null)
      return { ok: false, error: `The tool ${tool.name} has no URL, and the agent has no webhook_url.` };
    const message = this.#message('tool-calls', call, target, toolCallList(request, args));
    const outcome = await this.#options.dispatcher.request(message, { timeoutMs: toolTimeoutMs, signal });
    if (!outcome.ok) return { ok: false, error: toolFailure(outcome) };
    return toolResults(outcome.body, [request]).get(request.id) ?? { ok: false, error: 'The tool gave no result.' };
  }

  statusChanged(call: Call): void {
    const ended = call.status === 'ended' || call.status === 'failed';
    this.#tell('status-update', call, ended ? endingMessage(call) : {});
  }

  report(call: Call): void {
    this.#tell('end-of-call-report', call, reportMessage(call));
  }

  #tell(event: WebhookEvent, call: Call, extra: Record<string, unknown>): void {
    const target = this.#target();
    const events = this.#options.agent?.webhook_events ?? null;
    if (target === null || (events !== null && !events.includes(event))) return;
    this.#options.dispatcher.notify(this.#message(event, call, target, extra));
  }

  #message(event: WebhookEvent, call: Call, target: WebhookTarget, extra: Record<string, unknown>): WebhookMessage {
    const assistant = this.#assistant === null ? {} : { assistant: assistantMessage(this.#assistant) };
    return {
      event,
      target,
      callId: call.id,
      message: { ...commonMessage(call, this.#options.numberName), ...assistant, ...extra },
    };
  }

  #target(tool?: FunctionTool): WebhookTarget | null {
    const { agent, organization } = this.#options;
    const url = tool?.server?.url ?? agent?.webhook_url ?? organization.webhook_url;
    const secret = tool?.server?.secret ?? agent?.webhook_secret ?? organization.webhook_secret;
    return url === null || url === undefined ? null : { url, secret: secret ?? '' };
  }
}

function toolFailure(outcome: Extract<WebhookOutcome, { ok: false }>): string {
  if (outcome.reason === 'timeout') return `timeout: no answer within ${toolTimeoutMs / 1_000} seconds`;
  if (outcome.reason === 'status') return `the server answered ${outcome.status}`;
  return outcome.message;
}

function describe(outcome: WebhookOutcome): Record<string, unknown> {
  return outcome.ok
    ? { ok: true, status: outcome.status }
    : { reason: outcome.reason, status: outcome.status, message: outcome.message };
}
