import {
  type Clock,
  EventQueue,
  type RealtimeEvent,
  type RealtimeSession,
  type RealtimeSessionOptions,
  type Timer,
} from '@va/core/adapter';
import { CancelledResponses } from '../realtime/cancelled-responses.ts';
import { Conversation } from '../realtime/conversation.ts';
import type { VendorFields } from '../shared/json.ts';
import { Activity } from './activity.ts';
import { Generation, type GenerationRequest } from './generation.ts';
import type { ServerMessage, ToolCall } from './message.ts';
import { ResumableConnection, type ResumableConnectionTarget } from './resumable-connection.ts';
import { announcesHistory, responseOf, setupOf, turnsOf } from './setup.ts';
import { ToolResults } from './tool-results.ts';

/** Time limit for the service to end an interrupted generation. */
const interruptTimeoutMs = 2_000;
/** Maximum number of items that can still be truncated. */
const maxItems = 50;

/** Service, model and time limit of a session. */
interface GeminiTarget extends ResumableConnectionTarget {
  readonly model: string;
  readonly timeoutMs: number;
}

/**
 * Session of one phone call. The protocol has no ids of responses and no cancellation: the start of the caller's
 * activity interrupts a generation, and the service assumes that the caller heard all that it sent. So the caller's
 * audio is held while a wanted response is generated, and a note tells the model which part of a response the caller
 * heard.
 */
export class GeminiSession implements RealtimeSession {
  readonly #events = new EventQueue<RealtimeEvent>();
  readonly #target: GeminiTarget;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #abort = (): void => this.close();
  readonly #connection: ResumableConnection;
  readonly #conversation: Conversation;
  readonly #cancelled = new CancelledResponses();
  readonly #items = new Map<string, Generation>();
  readonly #tools = new ToolResults();
  #settings: RealtimeSessionOptions;
  #activity: Activity;
  #waiting: GenerationRequest[] = [];
  #active: Generation | undefined;
  /** Time limit for the end of an interrupted generation. While it runs, output is dropped. */
  #draining: Timer | undefined;
  /** The conversation so far, for a connection that resumes no session. */
  #history: readonly VendorFields[] = [];
  #itemCount = 0;
  #closed = false;

  constructor(target: GeminiTarget, options: RealtimeSessionOptions) {
    this.#target = target;
    this.#clock = options.clock;
    this.#signal = options.signal;
    this.#settings = options;
    this.#conversation = new Conversation(options.history, options.config);
    this.#activity = this.#newActivity();
    this.#connection = new ResumableConnection(target, options, {
      setupFor: (handle) => this.#setupFor(handle),
      onReady: () => this.#beReady(),
      onMessage: (message) => this.#received(message),
      onDisconnected: (message) => this.#disconnected(message),
      onFailed: (error) => {
        this.#end();
        this.#events.fail(error);
      },
    });
    if (options.signal.aborted) this.close();
    else options.signal.addEventListener('abort', this.#abort, { once: true });
    this.#connection.open();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RealtimeEvent, void, undefined> {
    for await (const event of this.#events) {
      const passed = this.#cancelled.filter(event);
      if (passed !== undefined) yield passed;
      else if (event.type === 'tool-call') this.addToolResult(event.call.id, 'The call was canceled.');
    }
  }

  send(audio: Uint8Array): void {
    if (this.#closed) return;
    this.#activity.addAudio(audio);
    this.#listen();
  }

  commit(turn: number): void {
    if (this.#closed) return;
    if (!this.#activity.hasAudio) {
      this.#events.push({ type: 'user-text', turn, text: '' });
      return;
    }
    this.#activity.turns.push(this.#conversation.addTurn(turn, []));
  }

  addMessage(role: 'user' | 'system', text: string): void {
    this.#conversation.addMessage(role, text);
    this.#activity.addText(text);
  }

  addToolResult(callId: string, output: string): void {
    if (this.#tools.add(callId, output)) this.#conversation.addOutput(callId, output);
  }

  respond(response: number, { withTools, say }: { readonly withTools: boolean; readonly say?: string }): void {
    if (this.#closed) return;
    this.#cancelled.requested(response);
    this.#waiting.push({ response, withTools: withTools && say === undefined, say, activity: undefined });
    this.#next();
  }

  cancel(response: number): void {
    this.#cancelled.cancel(response);
    const waiting = this.#waiting.find((request) => request.response === response);
    if (waiting !== undefined) {
      this.#waiting = this.#waiting.filter((request) => request !== waiting);
      this.#events.push({ type: 'response-done', response, status: 'cancelled' });
      return;
    }
    const active = this.#active;
    if (active?.request.response !== response) return;
    this.#finish(active, { type: 'response-done', response, status: 'cancelled' });
    this.#draining = this.#clock.setTimer(interruptTimeoutMs, () =>
      this.#connection.lose({ fault: 'timeout', message: 'the service did not end an interrupted response' }),
    );
    this.#activity.start();
  }

  truncate(item: string, heardMs: number): void {
    const note = this.#items.get(item)?.truncate(heardMs);
    if (note !== undefined) this.#activity.addText(note);
  }

  /** Changes the instructions at the next pause, on another connection: the setup of a connection cannot change. */
  update({ instructions }: { readonly instructions: string }): void {
    this.#settings = { ...this.#settings, instructions };
    this.#connection.requestRenewal();
    this.#pauseIfIdle();
  }

  close(): void {
    if (this.#closed) return;
    this.#end();
    this.#events.discard();
  }

  #end(): void {
    this.#closed = true;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#connection.close();
    this.#draining?.cancel();
    this.#active?.timeout?.cancel();
    this.#active = undefined;
    this.#waiting = [];
  }

  #newActivity(): Activity {
    const { sampleRateHz } = this.#settings.inputFormat;
    return new Activity((realtimeInput) => this.#connection.send({ realtimeInput }), sampleRateHz);
  }

  /** Starts the activity, which sends the caller's audio, unless that would interrupt a wanted response. */
  #listen(): void {
    const isFree = this.#active === undefined && this.#waiting.length === 0;
    if (isFree && this.#connection.isReady && this.#activity.hasAudio) this.#activity.start();
  }

  #setupFor(handle: string | undefined): VendorFields {
    this.#history = [];
    if (handle === undefined) {
      // The history contains the pending texts and tool results, so these are dropped. Later ones are sent after it.
      this.#history = turnsOf(this.#conversation.entries);
      this.#tools.take();
      for (const activity of [this.#activity, this.#waiting[0]?.activity]) activity?.forgetTexts();
    }
    return setupOf(this.#settings, { model: this.#target.model, handle, hasHistory: this.#history.length > 0 });
  }

  #beReady(): void {
    const turns = this.#history;
    if (turns.length > 0) {
      this.#connection.send({ clientContent: { turns, turnComplete: announcesHistory(this.#target.model) } });
    }
    this.#next();
    this.#listen();
  }

  /** Requests the next response if possible. */
  #next(): void {
    if (!this.#connection.isReady || this.#active !== undefined || this.#draining !== undefined) return;
    const request = this.#waiting.shift();
    if (request === undefined) return;
    const activity = request.activity ?? this.#activity;
    if (activity === this.#activity) this.#activity = this.#newActivity();
    request.activity = activity;
    this.#itemCount++;
    this.#active = new Generation(request, activity, `item-${this.#itemCount}`);
    this.#arm(this.#active);
    this.#ask(activity, request);
  }

  #ask(activity: Activity, { say }: GenerationRequest): void {
    const functionResponses = this.#tools.take();
    if (functionResponses.length > 0) {
      this.#connection.send({ toolResponse: { functionResponses } });
      // The results request a response by themselves.
      if (activity.isEmpty && say === undefined) return;
    }
    if (say !== undefined) activity.end([`Say exactly this to the caller, and nothing else: "${say}"`]);
    else activity.end(activity.isEmpty ? ['(The caller waits for you to speak.)'] : []);
  }

  #received(message: ServerMessage): void {
    if (message.usage !== undefined) this.#events.push({ type: 'usage', usage: message.usage });
    (this.#active?.activity ?? this.#activity).transcript += message.inputText;
    this.#tools.cancel(message.cancelledCalls);
    if (this.#draining !== undefined) this.#drain(message);
    else if (this.#active !== undefined) this.#responded(this.#active, message);
    this.#pauseIfIdle();
  }

  #drain({ turnComplete }: ServerMessage): void {
    if (!turnComplete) return;
    this.#draining?.cancel();
    this.#draining = undefined;
    this.#next();
  }

  #responded(active: Generation, message: ServerMessage): void {
    const { response } = active.request;
    if (message.hasContent) this.#connection.succeeded();
    for (const base64 of message.audio) this.#spoke(active, base64);
    if (message.outputText !== '') {
      this.#entryOf(active).text += message.outputText;
      this.#events.push({ type: 'text', response, item: active.item, text: message.outputText });
    }
    this.#arm(active);
    for (const call of message.calls) this.#called(active, call);
    if (message.interrupted && !active.hasOutput) active.awaitsInterruptedEnd = true;
    if (message.turnComplete && active.awaitsInterruptedEnd) {
      active.awaitsInterruptedEnd = false;
      return;
    }
    // The service waits for the tool results, and may end its turn only after them.
    const isDone = message.turnComplete || (message.calls.length > 0 && active.request.withTools);
    if (!isDone || this.#active !== active) return;
    if (active.hasOutput) this.#finish(active, { type: 'response-done', response, status: 'completed' });
    else this.#failed(active, 'the response contained no speech');
    this.#next();
    this.#listen();
  }

  #spoke(active: Generation, base64: string): void {
    const audio = active.decoder.decode(base64);
    if (audio.length === 0) return;
    this.#entryOf(active);
    active.hasOutput = true;
    active.receivedBytes += audio.length;
    this.#events.push({ type: 'audio', response: active.request.response, item: active.item, audio });
  }

  #entryOf(active: Generation) {
    active.entry ??= this.#conversation.addMessage('assistant', '');
    this.#items.set(active.item, active);
    const [oldest] = this.#items.keys();
    if (this.#items.size > maxItems && oldest !== undefined) this.#items.delete(oldest);
    return active.entry;
  }

  #called(active: Generation, call: ToolCall): void {
    const { response, withTools } = active.request;
    if (!withTools) {
      // Tools cannot be turned off for one response. A tool call must have a result, or the model waits for it.
      const functionResponses = [responseOf(call.id, call.name, 'No tool can be used now.')];
      this.#connection.send({ toolResponse: { functionResponses } });
      return;
    }
    if (!this.#tools.called(call)) return;
    active.hasOutput = true;
    this.#conversation.addCall(call);
    this.#events.push({ type: 'tool-call', response, call });
  }

  #failed(active: Generation, message: string): void {
    const { response } = active.request;
    this.#finish(active, { type: 'response-failed', response, retryable: true, message });
  }

  #finish(active: Generation, end: RealtimeEvent): void {
    active.timeout?.cancel();
    this.#active = undefined;
    const text = active.activity.transcript.trim();
    const { turns } = active.activity;
    // The transcript covers the whole activity: it is assigned to the last turn, which the response answers.
    for (const entry of turns) {
      entry.text = entry === turns.at(-1) ? text : '';
      this.#events.push({ type: 'user-text', turn: entry.turn, text: entry.text });
    }
    this.#events.push(end);
  }

  /**
   * Restarts the time limit of the response. The duration of the received audio is added, because the service may end
   * its turn only when it assumes that the audio was played.
   */
  #arm(active: Generation): void {
    active.timeout?.cancel();
    const limitMs = this.#target.timeoutMs + active.receivedMs;
    active.timeout = this.#clock.setTimer(limitMs, () => {
      const message = `received no data of the response for ${Math.round(limitMs)} ms`;
      if (this.#active === active) this.#failed(active, message);
      this.#connection.lose({ fault: 'timeout', message });
    });
  }

  #pauseIfIdle(): void {
    const isIdle = this.#active === undefined && this.#draining === undefined && this.#waiting.length === 0;
    if (isIdle && this.#activity.isEmpty) this.#connection.pause();
  }

  /** Handles the loss of the connection: a response with output fails, others are requested on the next connection. */
  #disconnected(message: string): void {
    this.#draining?.cancel();
    this.#draining = undefined;
    this.#activity.lost();
    const active = this.#active;
    if (active === undefined) return;
    active.activity.lost();
    if (active.hasOutput) this.#failed(active, message);
    else {
      active.timeout?.cancel();
      this.#active = undefined;
      this.#waiting.unshift(active.request);
    }
  }
}
