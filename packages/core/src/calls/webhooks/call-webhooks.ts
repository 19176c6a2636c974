import { timestamp } from '../../clock/timestamp.ts';
import type { OrganizationRecord } from '../../domain/accounts/organization.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import type { FunctionTool } from '../../domain/agents/tools/tool.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { ToolOutcome } from '../../domain/calls/tool-outcome.ts';
import { toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ToolCallRequest } from '../../ports/providers/language-model.ts';
import type {
  WebhookDispatcher,
  WebhookEvent,
  WebhookMessage,
  WebhookOutcome,
  WebhookRequestOptions,
  WebhookTarget,
} from '../../ports/webhooks.ts';
import { webhookTarget } from '../../webhooks/target.ts';
import type { Assistant } from '../assistant.ts';
import type { CallTelemetry } from '../telemetry.ts';
import { type AssistantAnswer, readAssistantAnswer } from './assistant-answer.ts';
import { callReport, type ReportPlan } from './call-report.ts';
import { missingResult, toolResults } from './tool-answer.ts';
import {
  assistantMessage,
  assistantRequestMessage,
  commonMessage,
  endingMessage,
  toolCallList,
} from './webhook-messages.ts';

const assistantRequestTimeoutMs = 5_000;
const toolTimeoutMs = 10_000;

export interface CallWebhooksOptions {
  readonly dispatcher: WebhookDispatcher;
  readonly organization: OrganizationRecord;
  readonly agent: Agent | null;
  readonly numberName: string | null;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns true for a speech-to-speech provider. */
  readonly isRealtime: (provider: string) => boolean;
  /** Absent for a call that is not traced, such as one whose process died. */
  readonly telemetry?: Pick<CallTelemetry, 'webhook'>;
}

/** The webhooks of one call. */
export class CallWebhooks {
  readonly #options: CallWebhooksOptions;
  /** The agent whose webhook settings apply; null: those of the organization. */
  #agent: Agent | null;
  #assistant: Assistant | null = null;

  constructor(options: CallWebhooksOptions) {
    this.#options = options;
    this.#agent = options.agent;
  }

  /**
   * Sets the agent and configuration of later webhooks. If that agent has no webhook_url, the server that named it
   * still gets them.
   */
  resolved(agent: Agent | null, assistant: Assistant): void {
    if (agent?.webhook_url != null || this.#agent?.webhook_url == null) this.#agent = agent;
    this.#assistant = assistant;
  }

  /**
   * Sends the `assistant-request`. Returns null if the server is not asked, does not respond in time, or responds with
   * an invalid body.
   */
  async askForAssistant(call: Call, signal: AbortSignal): Promise<AssistantAnswer | null> {
    const { numberName, logger, isRealtime } = this.#options;
    const target = this.#target();
    const wanted = this.#agent === null || (this.#agent.webhook_events ?? []).includes('assistant-request');
    if (target === null || !wanted) return null;
    const message = {
      event: 'assistant-request' as const,
      target,
      ...this.#about(call),
      message: assistantRequestMessage(call, numberName, isRealtime(this.#agent?.llm_config?.provider ?? '')),
    };
    const faultsOf = (body: unknown): readonly string[] => readAssistantAnswer(body).faults;
    const outcome = await this.#request(message, { timeoutMs: assistantRequestTimeoutMs, signal, faultsOf });
    const { answer, faults } = outcome.ok ? readAssistantAnswer(outcome.body) : { answer: null, faults: [] };
    if (answer === null) {
      logger.warn({ outcome: describe(outcome) }, 'no usable answer to assistant-request; using the saved agent');
    } else if (faults.length > 0) {
      logger.warn({ faults }, 'ignored invalid parts of the answer to assistant-request');
    }
    return answer;
  }

  /** Runs a tool on the customer's server. Never rejects: failures are outcomes of the tool. */
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
    const options = { timeoutMs: toolTimeoutMs, signal, acceptsText: true };
    const outcome = await this.#request(message, options, request.id);
    if (!outcome.ok) return { ok: false, error: toolFailure(outcome, request) };
    return toolResults(outcome.body, [request]).get(request.id) ?? { ok: false, error: 'The tool gave no result.' };
  }

  /** Returns the webhooks that report the present status, for the transaction that stores it. */
  statusUpdate(call: Call): WebhookMessage[] {
    return this.#notices('status-update', call, {});
  }

  /** Returns the webhooks that report the end of the call, for the transaction that stores it. */
  ended(call: Call, { reportsLater }: { readonly reportsLater: boolean }): WebhookMessage[] {
    const messages = this.#notices('status-update', call, endingMessage(call));
    const plan = reportsLater ? null : this.reportPlan(call);
    if (plan !== null) messages.push(callReport(plan, this.#options.organization.id, call));
    return messages;
  }

  /** Returns null if no report is requested. */
  reportPlan(call: Call): ReportPlan | null {
    const target = this.#wanted('end-of-call-report');
    if (target === null) return null;
    const assistant = this.#assistant === null ? null : assistantMessage(this.#assistant, call);
    return { target, agentId: this.#agentId(call), numberName: this.#options.numberName, assistant };
  }

  /** Returns the message of an event, if it has a target. */
  #notices(event: WebhookEvent, call: Call, extra: Record<string, unknown>): WebhookMessage[] {
    const target = this.#wanted(event);
    return target === null ? [] : [this.#message(event, call, target, extra)];
  }

  /** Returns the target of an event; null if there is none. */
  #wanted(event: WebhookEvent): WebhookTarget | null {
    const events: readonly string[] | null = this.#agent?.webhook_events ?? null;
    return events !== null && !events.includes(event) ? null : this.#target();
  }

  /** Sends a request in a span of its own. Never rejects: a dispatcher that throws must not end the call. */
  async #request(
    message: WebhookMessage,
    options: WebhookRequestOptions,
    toolCallId: string | null = null,
  ): Promise<WebhookOutcome> {
    const span = this.#options.telemetry?.webhook(message.event, toolCallId);
    const outcome = await this.#send({ ...message, traceparent: span?.traceparent ?? null }, options);
    span?.ended(outcome);
    return outcome;
  }

  async #send(message: WebhookMessage, options: WebhookRequestOptions): Promise<WebhookOutcome> {
    try {
      return await this.#options.dispatcher.request(message, options);
    } catch (thrown) {
      const { message: text } = toError(thrown);
      this.#options.logger.error({ err: toError(thrown), event: message.event }, 'failed to send a webhook');
      return { ok: false, reason: 'network', status: null, message: text, latencyMs: 0 };
    }
  }

  #message(event: WebhookEvent, call: Call, target: WebhookTarget, extra: Record<string, unknown>): WebhookMessage {
    const assistant = this.#assistant === null ? {} : { assistant: assistantMessage(this.#assistant, call) };
    return {
      event,
      target,
      ...this.#about(call),
      message: { ...commonMessage(call, this.#options.numberName), ...assistant, ...extra },
    };
  }

  #about(call: Call): Pick<WebhookMessage, 'orgId' | 'agentId' | 'callId'> {
    return { orgId: this.#options.organization.id, agentId: this.#agentId(call), callId: call.id };
  }

  /** Returns null for an agent given with the call: it has the call's id and is not stored. */
  #agentId(call: Call): string | null {
    const id = this.#agent?.id ?? null;
    return id === call.id ? null : id;
  }

  #target(tool?: FunctionTool): WebhookTarget | null {
    const { organization, clock } = this.#options;
    return webhookTarget({ organization, agent: this.#agent, now: timestamp(clock) }, tool);
  }
}

/**
 * Returns the error of a failed tool request: the server's own text, if it responded with an error status and
 * `{error}`.
 */
function toolFailure(outcome: Extract<WebhookOutcome, { ok: false }>, request: ToolCallRequest): string {
  if (outcome.reason === 'timeout') return `timeout: no answer within ${toolTimeoutMs / 1_000} seconds`;
  if (outcome.reason !== 'status') return outcome.message;
  const answer = toolResults(outcome.body, [request]).get(request.id);
  return answer?.ok === false && answer !== missingResult ? answer.error : `the server answered ${outcome.status}`;
}

function describe(outcome: WebhookOutcome): Record<string, unknown> {
  return outcome.ok
    ? { ok: true, status: outcome.status }
    : { reason: outcome.reason, status: outcome.status, message: outcome.message };
}
