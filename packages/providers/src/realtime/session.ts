import {
  type Clock,
  EventQueue,
  type Logger,
  type ModelUsage,
  type ProviderError,
  type RealtimeEvent,
  type RealtimeSession,
  type RealtimeSessionOptions,
} from '@va/core/adapter';
import { bytesPerMs } from '../shared/bytes-per-ms.ts';
import type { SocketLoss } from '../shared/connection/client-socket.ts';
import { ConnectionRecovery } from '../shared/connection/connection-recovery.ts';
import type { VendorFields } from '../shared/json.ts';
import { CallerTurns, type CallerTurnsHost } from './caller-turns.ts';
import { CancelledResponses } from './cancelled-responses.ts';
import { Conversation, itemOf, messageItem, outputItem } from './conversation.ts';
import type { RealtimeDialect, SessionSettings } from './dialect.ts';
import { isRetryable, type ReportedError } from './fault.ts';
import { Renewal } from './renewal.ts';
import {
  type ActiveResponse,
  cancelId,
  type ResponseOutcome,
  type ResponseRequest,
  Responses,
  type ResponsesHost,
} from './responses.ts';
import { RealtimeSocket, type RealtimeSocketTarget, type SessionEvent } from './socket.ts';
import { heardPart, type SpokenItem, SpokenItems } from './spoken-items.ts';

/** Minimum duration of a connection for resetting the count of attempts. */
const provenMs = 30_000;

/** Vendor, credentials and limits of a session. `maxSessionMs` is the duration after which the vendor ends it. */
interface SessionTarget extends Omit<RealtimeSocketTarget, 'clock'> {
  /** Registry id of the provider, for errors and logs. */
  readonly id: string;
  readonly dialect: RealtimeDialect;
  readonly apiKey: string;
  readonly maxSessionMs: number;
  readonly timeoutMs: number;
}

type EventOf<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;

/** Session of one phone call. Reconnects after a loss, and sends the conversation so far on each new connection. */
export class RealtimeVoiceSession implements RealtimeSession, CallerTurnsHost, ResponsesHost {
  readonly clock: Clock;
  readonly #events = new EventQueue<RealtimeEvent>();
  readonly #target: SessionTarget;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  readonly #abort = (): void => this.close();
  readonly #outputBytesPerMs: number;
  readonly #recovery: ConnectionRecovery;
  readonly #renewal: Renewal;
  readonly #conversation: Conversation;
  readonly #turns: CallerTurns;
  readonly #responses: Responses;
  readonly #spoken: SpokenItems;
  readonly #cancelled = new CancelledResponses();
  readonly #calls = new Set<string>();
  #settings: SessionSettings;
  #connection: RealtimeSocket | undefined;
  #readyAtMs: number | undefined;
  #closed = false;

  constructor(target: SessionTarget, options: RealtimeSessionOptions) {
    const { clock, logger, signal, config, history, inputFormat, outputFormat } = options;
    this.clock = clock;
    this.#target = target;
    this.#logger = logger;
    this.#signal = signal;
    this.#settings = options;
    this.#outputBytesPerMs = bytesPerMs(outputFormat);
    this.#recovery = new ConnectionRecovery(target, { clock, logger });
    this.#conversation = new Conversation(history, config);
    this.#turns = new CallerTurns(this, this.#conversation, inputFormat);
    this.#responses = new Responses(this, target.timeoutMs);
    this.#spoken = new SpokenItems(this.#conversation, outputFormat.encoding === 'pcm16' ? 2 : 1);
    this.#renewal = new Renewal(
      clock,
      target.maxSessionMs,
      () => this.#responses.isIdle && this.#turns.isIdle,
      () => this.#renew(),
    );
    if (signal.aborted) this.close();
    else signal.addEventListener('abort', this.#abort, { once: true });
    this.#connect();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RealtimeEvent, void, undefined> {
    for await (const event of this.#events) {
      const passed = this.#cancelled.filter(event);
      if (passed === undefined) this.#drop(event);
      else {
        if (passed.type === 'audio' || passed.type === 'text') this.#spoken.read(passed.item);
        yield passed;
      }
    }
  }

  send(audio: Uint8Array): void {
    if (!this.#closed) this.#turns.add(audio);
  }

  commit(turn: number): void {
    if (this.#closed) return;
    this.#turns.commit(turn);
    this.#renewal.check();
  }

  addMessage(role: 'user' | 'system', text: string): void {
    this.#conversation.addMessage(role, text);
    this.sendEvent(createItem(messageItem(role, text)));
  }

  addToolResult(callId: string, output: string): void {
    this.#conversation.addOutput(callId, output);
    this.sendEvent(createItem(outputItem(callId, output)));
  }

  respond(response: number, { withTools, say }: { readonly withTools: boolean; readonly say?: string }): void {
    if (this.#closed) return;
    this.#cancelled.requested(response);
    this.#responses.request({ response, withTools: withTools && say === undefined, say });
  }

  cancel(response: number): void {
    this.#cancelled.cancel(response);
    this.#responses.cancel(response);
  }

  truncate(item: string, heardMs: number): void {
    const spoken = this.#spoken.get(item);
    if (spoken === undefined) return;
    const receivedMs = Math.floor(spoken.receivedBytes / this.#outputBytesPerMs);
    const endMs = Math.min(receivedMs, Math.max(0, Math.floor(heardMs)));
    spoken.entry.text = heardPart(spoken.entry.text, receivedMs === 0 ? 0 : endMs / receivedMs);
    // On another connection the item is text without audio, which cannot be truncated.
    if (spoken.connection !== this.#connection) return;
    if (endMs === 0) {
      // Providers reject a truncation to 0 ms, and would keep words that the caller did not hear.
      this.#spoken.drop(item);
      this.#deleteItem(item);
      return;
    }
    this.sendEvent({ type: 'conversation.item.truncate', item_id: item, content_index: 0, audio_end_ms: endMs });
  }

  update({ instructions }: { readonly instructions: string }): void {
    this.#settings = { ...this.#settings, instructions };
    this.sendEvent({ type: 'session.update', session: this.#target.dialect.instructions(instructions) });
  }

  close(): void {
    if (this.#closed) return;
    this.#end();
    this.#events.discard();
  }

  get isReady(): boolean {
    return this.#connection?.isReady === true;
  }

  /** Sends an event. Drops it without a connection, because the next connection starts with the conversation. */
  sendEvent(event: VendorFields): void {
    if (this.#connection?.isReady) this.#connection.send(event);
  }

  emitUserText(turn: number, text: string): void {
    this.#events.push({ type: 'user-text', turn, text });
  }

  sendRequest({ withTools, say }: ResponseRequest, eventId: string): void {
    if (say !== undefined) this.sendEvent({ ...this.#target.dialect.say(say), event_id: eventId });
    else if (withTools) this.sendEvent({ type: 'response.create', event_id: eventId });
    else this.sendEvent({ type: 'response.create', event_id: eventId, response: { tools: [], tool_choice: 'none' } });
  }

  sendCancel(id: string): void {
    this.sendEvent({ type: 'response.cancel', event_id: cancelId(id), response_id: id });
  }

  finished(response: number, outcome: ResponseOutcome): void {
    const withheld = this.#spoken.takeWithheld();
    if (outcome.status === 'failed') {
      const { retryable } = outcome;
      const message = this.#recovery.redact(outcome.message);
      this.#events.push({ type: 'response-failed', response, retryable, message });
    } else this.#events.push({ type: 'response-done', response, status: outcome.status });
    // The caller does not hear items that were not passed to the pipeline: they are deleted, so that they do not count
    // as said.
    if (outcome.status === 'completed') return;
    for (const item of withheld) this.#deleteItem(item);
  }

  stalled(message: string): void {
    this.#connection?.lose({ fault: 'timeout', message });
  }

  #end(): void {
    this.#closed = true;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#recovery.cancel();
    this.#renewal.stop();
    this.#responses.close();
    this.#connection?.close();
    this.#connection = undefined;
  }

  #connect(): void {
    if (this.#closed) return;
    const { url, headers, dialect } = this.#target;
    const settings = this.#settings;
    this.#connection = new RealtimeSocket({ url, headers, clock: this.clock }, dialect.session(settings), {
      onReady: () => this.#beReady(settings),
      onEvent: (event) => this.#received(event),
      onUnreadable: (text) => this.#recovery.logUnreadable(text),
      onLost: (loss) => this.#lost(loss),
    });
  }

  #beReady(described: SessionSettings): void {
    this.#readyAtMs = this.clock.nowMs();
    this.#renewal.start();
    const { instructions } = this.#settings;
    if (instructions !== described.instructions) this.update({ instructions });
    for (const entry of this.#conversation.entries) {
      const item = itemOf(entry);
      if (item !== undefined) this.sendEvent(createItem(item));
      else if (entry.kind === 'turn' && entry.text === undefined) this.#turns.repeat(entry);
    }
    this.#turns.repeatOpenTurn();
    this.#responses.next();
  }

  #renew(): void {
    this.#logger.debug({ provider: this.#target.id }, 'renewing the session');
    this.#connection?.close();
    this.#disconnected('the session is renewed');
    this.#connect();
  }

  #lost(loss: SocketLoss): void {
    const error = this.#recovery.errorOf(loss);
    if (this.#readyAtMs !== undefined && this.clock.nowMs() - this.#readyAtMs >= provenMs) this.#recovery.succeeded();
    this.#disconnected(error.message);
    if (!this.#recovery.reconnect(error, () => this.#connect())) this.#fail(error);
  }

  #disconnected(message: string): void {
    this.#connection = undefined;
    this.#readyAtMs = undefined;
    this.#renewal.stop();
    this.#turns.lost();
    this.#responses.lost(message);
  }

  #fail(error: ProviderError): void {
    if (this.#closed) return;
    this.#end();
    this.#events.fail(error);
  }

  #received(event: SessionEvent): void {
    switch (event.type) {
      case 'committed':
        this.#turns.becameItem(event.item);
        break;
      case 'transcript':
        this.#used(event.usage, this.#target.dialect.transcriptionModel);
        this.#turns.transcribed(event.item, event.text);
        break;
      case 'response-created':
        this.#responses.began(event.response);
        break;
      case 'response-done':
        this.#recovery.succeeded();
        this.#used(event.usage);
        this.#responses.ended(event.response, outcomeOf(event));
        break;
      case 'item-added':
        if (this.#responses.isActive(event.response)) this.#spoken.added(event.item, event.call);
        break;
      case 'error':
        this.#onReportedError(event.reported);
        break;
      default:
        this.#responded(event);
    }
    this.#renewal.check();
  }

  /** @param model the billed model, if it is not that of the session */
  #used(usage: ModelUsage | undefined, model?: string): void {
    if (usage === undefined) return;
    this.#events.push({ type: 'usage', usage: { ...usage, ...(model !== undefined && { model }) } });
  }

  #responded(event: EventOf<'audio' | 'text' | 'call'>): void {
    const active = this.#responses.attribute(event.response);
    if (active === undefined) return;
    if (event.type === 'call') this.#called(active, event);
    else if (event.type === 'audio') this.#spoke(active, event);
    else {
      this.#spokenItem(event.item).entry.text += event.text;
      this.#events.push({ type: 'text', response: active.response, item: event.item, text: event.text });
    }
  }

  #spoke(active: ActiveResponse, { item, base64 }: EventOf<'audio'>): void {
    const spoken = this.#spokenItem(item);
    const audio = spoken.decoder.decode(base64);
    if (audio.length === 0) return;
    active.hasOutput = true;
    spoken.receivedBytes += audio.length;
    this.#events.push({ type: 'audio', response: active.response, item, audio });
  }

  #spokenItem(item: string): SpokenItem {
    return this.#spoken.pass(item, this.#connection);
  }

  #called(active: ActiveResponse, { item, id, name, arguments: text }: EventOf<'call'>): void {
    if (this.#calls.has(id)) return;
    this.#calls.add(id);
    this.#spoken.passCall(id, item);
    if (!active.withTools) {
      // Some vendors cannot disable tools for one response. A tool call must have a result, or the model waits for it.
      this.sendEvent(createItem(outputItem(id, 'No tool can be used now.')));
      return;
    }
    active.hasOutput = true;
    const call = { id, name, arguments: text };
    this.#conversation.addCall(call);
    this.#events.push({ type: 'tool-call', response: active.response, call });
  }

  /**
   * Corrects the provider's conversation after an event that the pipeline does not get. Speech of which the pipeline
   * has read nothing was not heard, so it is deleted. A tool call gets a result, because the pipeline does not know the
   * call.
   */
  #drop(event: RealtimeEvent): void {
    if (event.type === 'tool-call') this.addToolResult(event.call.id, 'The call was canceled.');
    if ((event.type === 'audio' || event.type === 'text') && this.#spoken.forget(event.item))
      this.#deleteItem(event.item);
  }

  #deleteItem(item: string): void {
    this.sendEvent({ type: 'conversation.item.delete', item_id: item });
  }

  #onReportedError(reported: ReportedError): void {
    const { fault, code } = reported;
    const message = this.#recovery.redact(reported.message);
    const retryable = isRetryable(fault);
    if (fault === 'auth' || fault === 'quota' || (!this.isReady && !retryable)) {
      this.#fail(this.#recovery.errorOf({ fault, message }));
    } else if (!this.isReady || code === 'session_expired') this.#connection?.lose({ fault, message });
    else if (!this.#turns.refused(reported) && !this.#responses.refused(reported, retryable)) {
      this.#logger.warn({ provider: this.#target.id, code, message }, 'provider returned an error');
    }
  }
}

function createItem(item: VendorFields): VendorFields {
  return { type: 'conversation.item.create', item };
}

function outcomeOf(event: EventOf<'response-done'>): ResponseOutcome {
  if (event.status !== 'failed') return { status: event.status };
  const { fault, message } = event.reported;
  return { status: 'failed', retryable: isRetryable(fault), message };
}
