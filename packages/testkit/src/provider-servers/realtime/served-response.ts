import type { RealtimePeer } from './peer.ts';
import type { RealtimeReply } from './script.ts';
import { bytesPerMs, tone } from './tone.ts';

type Fields = Record<string, unknown>;

const msPerCharacter = 40;

/** One response, told event by event as long as nobody cancels it. */
export class ServedResponse {
  readonly id: string;
  readonly #peer: RealtimePeer;
  readonly #reply: RealtimeReply;
  #cancelled = false;
  #released = false;
  #goOn: (() => void) | undefined;

  constructor(peer: RealtimePeer, id: string, reply: RealtimeReply) {
    this.#peer = peer;
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

  #state(status: string, error?: Fields): Fields {
    const details = status === 'in_progress' || status === 'completed' ? null : { type: status, error };
    return { object: 'realtime.response', id: this.id, status, status_details: details, output: [] };
  }

  async #speak(text: string): Promise<void> {
    if (text === '' || this.#stopped) return;
    const peer = this.#peer;
    const { fault } = peer;
    const item = peer.addItem({ id: peer.host.nextId('item'), type: 'message', role: 'assistant', text: '' });
    const about = { response_id: this.id, item_id: item.id, output_index: 0, content_index: 0 };
    peer.send({
      type: 'response.output_item.added',
      response_id: this.id,
      output_index: 0,
      item: { id: item.id, type: 'message', role: 'assistant', status: 'in_progress', content: [] },
    });
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
    peer.send({ ...about, type: 'response.output_audio.done' });
    const status = this.#cancelled ? 'incomplete' : 'completed';
    const done = { id: item.id, type: 'message', role: 'assistant', status, content: [] };
    peer.send({ type: 'response.output_item.done', response_id: this.id, output_index: 0, item: done });
  }

  async #call(call: { id: string; name: string; arguments: string }): Promise<void> {
    if (this.#stopped) return;
    const peer = this.#peer;
    const { id: callId, name } = call;
    const item = peer.addItem({ id: peer.host.nextId('item'), type: 'function_call', text: name, callId });
    const about = { response_id: this.id, item_id: item.id, output_index: 1, call_id: callId };
    const state = { id: item.id, type: 'function_call', name, call_id: callId };
    peer.send({
      type: 'response.output_item.added',
      response_id: this.id,
      output_index: 1,
      item: { ...state, status: 'in_progress', arguments: '' },
    });
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
    // xAI has been seen to leave out whose call it is.
    peer.send(peer.host.dialect === 'xai' || fault === 'sparse-ids' ? done : { ...about, ...done });
    const status = sent === call.arguments ? 'completed' : 'incomplete';
    const whole = { ...state, status, arguments: sent };
    peer.send({ type: 'response.output_item.done', response_id: this.id, output_index: 1, item: whole });
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

  /** Lets what the client has sent come in. */
  #breathe(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}

/** The first byte alone, and the rest. */
function oddPieces(audio: Uint8Array): Uint8Array[] {
  return [audio.subarray(0, 1), audio.subarray(1)];
}
