import {
  type Attributes,
  type Counter,
  context,
  type Histogram,
  isSpanContextValid,
  metrics,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
  type UpDownCounter,
} from '@opentelemetry/api';
import type { ConversationNotice } from '../conversation/state/effects.ts';
import type { Call, TurnLatency } from '../domain/calls/call.ts';
import { toError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { ToolCallRequest } from '../ports/providers/language-model.ts';
import type { Provider } from '../ports/providers/provider.ts';
import type { WebhookEvent, WebhookOutcome } from '../ports/webhooks.ts';
import type { RequestWatch } from '../providers/provider-watch.ts';
import { version } from '../version.ts';
import { maxNameLength, modelAttributes, usageAttributes } from './gen-ai-attributes.ts';

const scope = '@va/core';

/**
 * Spans and metrics of calls, for the OpenTelemetry SDK that the host registered before it created the service; no-op
 * without one. Durations are in milliseconds.
 */
export class Telemetry {
  readonly #clock: Clock;
  readonly #tracer: Tracer;
  readonly #turns: Readonly<Record<keyof TurnLatency, Histogram>>;
  readonly #interruptions: Counter;
  readonly #preparedReplies: Counter;
  readonly #calls: Counter;
  readonly #active: UpDownCounter;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#tracer = trace.getTracer(scope, version);
    const meter = metrics.getMeter(scope, version);
    const histogram = (name: string, description: string): Histogram =>
      meter.createHistogram(`va.turn.${name}`, { unit: 'ms', description });
    this.#turns = {
      total_ms: histogram('total', "From the caller's last speech to the first frame of the reply"),
      endpointing_ms: histogram('endpointing', '… to the decision that the turn is over'),
      stt_final_ms: histogram('stt_final', '… to the last words of the turn'),
      first_audio_ms: histogram('first_audio', '… to the first audio of the reply'),
      llm_first_token_ms: histogram('llm_first_token', "From the end of the turn to the model's first token"),
      tts_first_byte_ms: histogram('tts_first_byte', 'From the first text to the first audio of it'),
    };
    this.#interruptions = meter.createCounter('va.interruptions', { description: 'Interruptions by callers' });
    this.#preparedReplies = meter.createCounter('va.replies.prepared', {
      description: 'Replies prepared before the end of a turn',
    });
    this.#calls = meter.createCounter('va.calls', { description: 'Ended calls' });
    this.#active = meter.createUpDownCounter('va.calls.active', { description: 'Live calls' });
  }

  begin(orgId: string, call: Call): CallTelemetry {
    const attributes: Attributes = {
      'va.call.id': call.id,
      'va.org.id': orgId,
      'va.call.direction': call.direction,
      'gen_ai.conversation.id': call.id,
    };
    const span = this.#tracer.startSpan('call', { attributes, startTime: this.#clock.wallMs() });
    this.#active.add(1);
    return new CallTelemetry(span, {
      callId: call.id,
      tracer: this.#tracer,
      clock: this.#clock,
      onTurn: (turn) => this.#countTurn(turn),
      onInterruption: () => this.#interruptions.add(1),
      onEnd: (ended) => {
        this.#active.add(-1);
        const { made, used } = ended.latency?.prepared_replies ?? { made: 0, used: 0 };
        this.#preparedReplies.add(used, { 'va.reply.used': true });
        this.#preparedReplies.add(made - used, { 'va.reply.used': false });
        this.#calls.add(1, { 'va.call.direction': ended.direction, 'va.call.end_reason': ended.end_reason ?? '' });
      },
    });
  }

  #countTurn(turn: TurnLatency): void {
    for (const [name, histogram] of Object.entries(this.#turns)) {
      const ms = turn[name as keyof TurnLatency];
      if (ms !== null) histogram.record(ms);
    }
  }
}

interface TelemetryHost {
  readonly callId: string;
  readonly tracer: Tracer;
  readonly clock: Clock;
  onTurn(turn: TurnLatency): void;
  onInterruption(): void;
  onEnd(call: Call): void;
}

/** A request to the customer's server. */
export interface WebhookSpan {
  /** Header for the server to continue the trace; null without tracing. @see W3C Trace Context §3.2 */
  readonly traceparent: string | null;
  ended(outcome: WebhookOutcome): void;
}

/** Spans of one call: one from ringing to end, with children for each turn, tool, provider request and webhook. */
export class CallTelemetry {
  readonly #span: Span;
  readonly #host: TelemetryHost;
  readonly #tools = new Map<string, Span>();

  constructor(span: Span, host: TelemetryHost) {
    this.#span = span;
    this.#host = host;
  }

  answered(): void {
    this.#span.addEvent('answered', this.#host.clock.wallMs());
  }

  notice(notice: ConversationNotice): void {
    switch (notice.type) {
      case 'latency':
        this.#turn(notice.turn);
        return;
      case 'interrupted':
        this.#span.addEvent('interrupted', this.#host.clock.wallMs());
        this.#host.onInterruption();
        return;
      case 'budget':
        this.#span.addEvent(`budget ${notice.level}`, { 'va.budget.scope': notice.scope }, this.#host.clock.wallMs());
        return;
      case 'tool-call':
        this.#tools.set(notice.call.id, this.#tool(notice.call));
        return;
      case 'tool-result': {
        const span = this.#tools.get(notice.callId);
        this.#tools.delete(notice.callId);
        if (!notice.outcome.ok) span?.setStatus({ code: SpanStatusCode.ERROR, message: notice.outcome.error });
        span?.end(this.#host.clock.wallMs());
      }
    }
  }

  /** @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ */
  request({ kind, id }: Pick<Provider, 'kind' | 'id'>, model?: string): RequestWatch {
    const { clock } = this.#host;
    const span = this.#child(`${kind} request`, clock.wallMs(), SpanKind.CLIENT);
    span.setAttributes({ 'va.provider.kind': kind, 'va.provider.id': id });
    if (kind === 'llm') span.setAttributes(modelAttributes(id, model, this.#host.callId));
    return {
      used: (usage) => span.setAttributes(usageAttributes(usage)),
      failed: (thrown) => span.setStatus({ code: SpanStatusCode.ERROR, message: toError(thrown).message }),
      ended: () => span.end(clock.wallMs()),
    };
  }

  /** @param toolCallId the tool that the server runs, if any */
  webhook(event: WebhookEvent, toolCallId: string | null): WebhookSpan {
    const { clock } = this.#host;
    const parent = toolCallId === null ? undefined : this.#tools.get(toolCallId);
    const span = this.#child(`webhook ${event}`, clock.wallMs(), SpanKind.CLIENT, parent);
    span.setAttributes({ 'va.webhook.event': event, 'http.request.method': 'POST' });
    return {
      traceparent: traceparentOf(span),
      ended(outcome) {
        if (outcome.status !== null) span.setAttribute('http.response.status_code', outcome.status);
        if (!outcome.ok) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.message });
        span.end(clock.wallMs());
      },
    };
  }

  /**
   * Executes a command in a span. The span belongs to the trace of the request (`traceparent`), on whichever node it
   * arrived, and links to the call; without a request trace it belongs to the call's trace.
   */
  async command<T>(type: string, traceparent: string | null, run: () => Promise<T>): Promise<T> {
    const { clock, tracer } = this.#host;
    const asked = traceparent === null ? null : parseTraceparent(traceparent);
    const parent =
      asked === null ? trace.setSpan(context.active(), this.#span) : trace.setSpanContext(ROOT_CONTEXT, asked);
    const links = asked === null ? [] : [{ context: this.#span.spanContext() }];
    const span = tracer.startSpan(`command ${type}`, { startTime: clock.wallMs(), links }, parent);
    try {
      return await run();
    } catch (thrown) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: toError(thrown).message });
      throw thrown;
    } finally {
      span.end(clock.wallMs());
    }
  }

  ended(call: Call): void {
    const nowMs = this.#host.clock.wallMs();
    for (const span of this.#tools.values()) span.end(nowMs);
    if (call.agent_id !== null) this.#span.setAttribute('va.agent.id', call.agent_id);
    if (call.end_reason !== null) this.#span.setAttribute('va.call.end_reason', call.end_reason);
    if (call.status === 'failed') this.#span.setStatus({ code: SpanStatusCode.ERROR, message: call.error ?? '' });
    this.#span.end(nowMs);
    this.#host.onEnd(call);
  }

  /** Starts the span of a tool call. The tool's name is cut to a maximum length, because the model may invent it. */
  #tool({ id, name }: ToolCallRequest): Span {
    const span = this.#child(`execute_tool ${name.slice(0, maxNameLength)}`, this.#host.clock.wallMs());
    return span.setAttributes({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name.slice(0, maxNameLength),
      'gen_ai.tool.call.id': id.slice(0, maxNameLength),
      'gen_ai.conversation.id': this.#host.callId,
    });
  }

  #turn(turn: TurnLatency): void {
    const nowMs = this.#host.clock.wallMs();
    const span = this.#child('turn', nowMs - turn.total_ms);
    for (const [name, ms] of Object.entries(turn)) if (ms !== null) span.setAttribute(`va.turn.${name}`, ms);
    span.end(nowMs);
    this.#host.onTurn(turn);
  }

  #child(name: string, startTime: number, kind: SpanKind = SpanKind.INTERNAL, parent: Span = this.#span): Span {
    return this.#host.tracer.startSpan(name, { startTime, kind }, trace.setSpan(context.active(), parent));
  }
}

/** Returns the active span in the form of the header `traceparent`; null without tracing. */
export function activeTraceparent(): string | null {
  const span = trace.getActiveSpan();
  return span === undefined ? null : traceparentOf(span);
}

/** @see W3C Trace Context §3.2.2 */
function parseTraceparent(traceparent: string): SpanContext | null {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

function traceparentOf(span: Span): string | null {
  const { traceId, spanId, traceFlags } = span.spanContext();
  if (!isSpanContextValid(span.spanContext())) return null;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
