import type { MessageFields } from '../message-fields.ts';
import type { ItemStatus } from './items.ts';
import { usageOf, wireItem } from './items.ts';
import type { RealtimeItem, RealtimeReply, RealtimeStep } from './script.ts';
import { bytesPerMs, type ToneFormat, tone } from './tone.ts';

const msPerCharacter = 40;

/** The connection that a response is sent over. */
export interface ResponseChannel {
  readonly host: { readonly dialect: 'openai' | 'xai'; nextId(kind: string): string };
  readonly isOpen: boolean;
  readonly outputFormat: ToneFormat;
  readonly fault: unknown;
  send(event: MessageFields): void;
  /** Closes the connection and returns true if the fault names this step; returns false otherwise. */
  cuts(step: RealtimeStep): boolean;
  addItem(item: Omit<RealtimeItem, 'audioMs'>, status?: ItemStatus, after?: unknown): RealtimeItem;
  completeItem(item: RealtimeItem, status: ItemStatus): void;
  finished(response: ServedResponse): void;
}

/** A response, sent event by event until it is cancelled. */
export class ServedResponse {
  readonly id: string;
  readonly #peer: ResponseChannel;
  readonly #reply: RealtimeReply;
  readonly #metadata: unknown;
  readonly #items: RealtimeItem[] = [];
  #cancelled = false;
  #released = false;
  #goOn: (() => void) | undefined;

  constructor(peer: ResponseChannel, id: string, reply: RealtimeReply, metadata: unknown) {
    this.#peer = peer;
    this.#metadata = metadata;
    this.id = id;
    this.#reply = reply;
  }

  cancel(): void {
    this.#cancelled = true;
    this.#goOn?.();
  }

  release(): void {
    this.#released = true;
    this.#goOn?.();
  }

  async run(): Promise<void> {
    const { fault } = this.#peer;
    this.#peer.send({ type: 'response.created', response: this.#state('in_progress') });
    if (this.#peer.cuts('response.created') || fault === 'hang') return;
    this.#peer.send({
      type: 'rate_limits.updated',
      rate_limits: [{ name: 'tokens', limit: 40_000, remaining: 39_000, reset_seconds: 1.5 }],
    });
    await this.#breathe();
    await this.#speak(this.#reply.text ?? '');
    for (const call of this.#reply.toolCalls ?? []) await this.#call(call);
    if (!this.#peer.isOpen) return;
    this.#peer.finished(this);
    this.#peer.send({ type: 'response.done', response: this.#state(this.#status, this.#reply.fails) });
  }

  get #status(): string {
    if (this.#cancelled) return 'cancelled';
    return this.#reply.fails === undefined ? 'completed' : 'failed';
  }

  #state(status: string, error?: MessageFields): MessageFields {
    const isOver = status !== 'in_progress';
    const details = { type: status, ...(status === 'cancelled' ? { reason: 'client_cancelled' } : { error }) };
    return {
      object: 'realtime.response',
      id: this.id,
      conversation_id: 'conv_1',
      status,
      ...(isOver && status !== 'completed' && { status_details: details }),
      output: isOver ? this.#items.map((item) => wireItem(item, this.#cancelled ? 'incomplete' : 'completed')) : [],
      output_modalities: ['audio'],
      max_output_tokens: 'inf',
      ...(isOver && { usage: usageOf(this.#items) }),
      ...(this.#metadata !== undefined && { metadata: this.#metadata }),
    };
  }

  async #speak(text: string): Promise<void> {
    if (text === '' || this.#stopped) return;
    const peer = this.#peer;
    const { fault } = peer;
    const item = peer.addItem(
      { id: peer.host.nextId('item'), type: 'message', role: 'assistant', text: '' },
      'in_progress',
    );
    this.#items.push(item);
    const about = { response_id: this.id, item_id: item.id, output_index: 0, content_index: 0 };
    this.#sendItem('added', item, 'in_progress');
    item.content = 'output_audio';
    peer.send({ ...about, type: 'response.content_part.added', part: { type: 'audio', transcript: '' } });
    const format = peer.outputFormat;
    for (const [at, word] of (text.match(/\S+\s*/g) ?? []).entries()) {
      if (at === this.#reply.holdAfterWords) await this.#hold();
      if (this.#stopped) break;
      item.text += word;
      peer.send({ ...about, type: 'response.output_audio_transcript.delta', delta: word });
      if (fault === 'bad-audio') peer.send({ ...about, type: 'response.output_audio.delta', delta: '**no base64**' });
      if (fault !== 'mute') {
        const audio = tone(format, word.length * msPerCharacter);
        item.audioMs += audio.length / bytesPerMs(format);
        for (const piece of fault === 'odd-audio' ? oddPieces(audio) : [audio]) {
          const delta = Buffer.from(piece).toString('base64');
          peer.send({ ...about, type: 'response.output_audio.delta', delta });
        }
      }
      if (peer.cuts('response.output_audio.delta')) return;
      await this.#breathe();
    }
    if (this.#reply.holdAfterWords === Number.POSITIVE_INFINITY) await this.#hold();
    const transcript = item.text;
    peer.send({ ...about, type: 'response.output_audio.done' });
    peer.send({ ...about, type: 'response.output_audio_transcript.done', transcript });
    peer.send({ ...about, type: 'response.content_part.done', part: { type: 'audio', transcript } });
    this.#sendItem('done', item, this.#cancelled ? 'incomplete' : 'completed');
  }

  #sendItem(step: 'added' | 'done', item: RealtimeItem, status: 'in_progress' | 'completed' | 'incomplete'): void {
    const output_index = this.#items.indexOf(item);
    this.#peer.send({
      type: `response.output_item.${step}`,
      response_id: this.id,
      output_index,
      item: wireItem(item, status),
    });
    if (step === 'done') this.#peer.completeItem(item, status);
  }

  async #call(call: { id: string; name: string; arguments: string }): Promise<void> {
    if (this.#stopped) return;
    const peer = this.#peer;
    const { id: callId, name } = call;
    const item = peer.addItem(
      { id: peer.host.nextId('item'), type: 'function_call', text: name, callId },
      'in_progress',
    );
    this.#items.push(item);
    const about = { response_id: this.id, item_id: item.id, output_index: this.#items.length - 1, call_id: callId };
    this.#sendItem('added', item, 'in_progress');
    const middle = Math.ceil(call.arguments.length / 2);
    const halves = [call.arguments.slice(0, middle), call.arguments.slice(middle)];
    let sent = '';
    for (const [at, delta] of halves.entries()) {
      if (at === 1 && this.#reply.holdAfterWords === 0) await this.#hold();
      if (this.#stopped) break;
      sent += delta;
      peer.send({ ...about, type: 'response.function_call_arguments.delta', delta });
      if (peer.cuts('response.function_call_arguments.delta')) return;
      await this.#breathe();
    }
    const { fault } = peer;
    const done = { type: 'response.function_call_arguments.done', call_id: callId, name, arguments: sent };
    // xAI has been seen to omit the function name.
    peer.send(peer.host.dialect === 'xai' || fault === 'sparse-ids' ? done : { ...about, ...done });
    item.arguments = sent;
    this.#sendItem('done', item, sent === call.arguments ? 'completed' : 'incomplete');
  }

  get #stopped(): boolean {
    return this.#cancelled || !this.#peer.isOpen;
  }

  async #hold(): Promise<void> {
    if (this.#cancelled || this.#released) return;
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
  }

  /** Waits 15 ms, so that a client can cancel the response between two words. */
  #breathe(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, 15));
  }
}

/** Splits off the first byte. */
function oddPieces(audio: Uint8Array): Uint8Array[] {
  return [audio.subarray(0, 1), audio.subarray(1)];
}
