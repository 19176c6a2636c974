import type { WebSocket } from 'ws';
import { durationMs, soundMs } from '../deepgram/sound.ts';
import { objectOf, textOf } from '../local-server.ts';
import type { MessageFields } from '../message-fields.ts';
import { wireItem } from './items.ts';
import type { TranscriptionConnection, TranscriptionFault } from './transcription-behaviour.ts';
import { readSession, type TranscriptionSession } from './transcription-session.ts';

/** Sound per word of the transcript. */
const wordMs = 200;
/** Audio without which a commit is refused. */
const minCommitMs = 100;
const garbage = [
  '{',
  '[]',
  '7',
  '{"type":"conversation.item.input_audio_transcription.delta","item_id":7,"delta":{}}',
  '{"type":"conversation.item.input_audio_transcription.completed","item_id":"unknown","transcript":"?"}',
];
const transcription = 'conversation.item.input_audio_transcription';

/** The service's side of one connection. */
export class TranscriptionPeer {
  readonly #socket: WebSocket;
  readonly #connection: TranscriptionConnection;
  readonly #fault: TranscriptionFault | undefined;
  readonly #turns: string[];
  /** Completions that are held back until the next one was sent. */
  readonly #held: (() => void)[] = [];
  #session: TranscriptionSession | undefined;
  #soundMs = 0;
  #audioMs = 0;
  /** Number of words of the current item that were sent. */
  #sentWords = 0;
  #items = 0;
  #events = 0;

  constructor(
    socket: WebSocket,
    connection: TranscriptionConnection,
    fault: TranscriptionFault | undefined,
    turns: string[],
  ) {
    this.#socket = socket;
    this.#connection = connection;
    this.#fault = fault;
    this.#turns = turns;
    socket.on('close', () => {
      connection.closed = true;
    });
    socket.on('message', (data) => {
      if (socket.readyState === socket.OPEN) this.#received(objectOf(textOf(data)));
    });
    const input = { format: { type: 'audio/pcm', rate: 24_000 }, turn_detection: null };
    const session = { id: 'sess_1', object: 'realtime.transcription_session', type: 'transcription', audio: { input } };
    this.#send('session.created', { session });
  }

  #received({ type, session, audio, event_id: eventId }: MessageFields): void {
    switch (type) {
      case 'session.update':
        this.#update(session, eventId);
        return;
      case 'input_audio_buffer.append':
        if (typeof audio === 'string') this.#heard(Buffer.from(audio, 'base64'));
        else this.#refuse('audio', 'Expected base64-encoded audio.', 'invalid_value', eventId);
        return;
      case 'input_audio_buffer.commit':
        this.#commit(eventId);
        return;
      case 'input_audio_buffer.clear':
        this.#next();
        this.#send('input_audio_buffer.cleared', {});
        return;
      default:
        this.#refuse('type', `Invalid value: '${String(type)}'.`, 'invalid_value', eventId);
    }
  }

  #update(session: unknown, eventId: unknown): void {
    if (typeof this.#fault === 'object' && 'error' in this.#fault) {
      this.#error(this.#fault.error, 'Fault', null, eventId);
      return;
    }
    this.#connection.sessions.push(session as MessageFields);
    if (this.#connection.query.has('model') || this.#connection.query.get('intent') !== 'transcription') {
      this.#refuse('session.type', 'Passing a transcription session update to a realtime session.', null, eventId);
      return;
    }
    const read = readSession(session);
    if ('param' in read) {
      this.#refuse(read.param, read.message, 'invalid_value', eventId);
      return;
    }
    this.#session = read;
    this.#send('session.updated', { session: read.description });
  }

  #heard(audio: Buffer): void {
    const session = this.#session;
    if (session === undefined || audio.length === 0) return;
    this.#connection.chunks += 1;
    const fault = this.#fault;
    if (typeof fault === 'object' && 'ends' in fault) {
      this.#error(fault.ends, 'Fault', null, null);
      this.#socket.close(1000);
      return;
    }
    if (typeof fault === 'object' && 'breakAfterChunks' in fault && this.#connection.chunks >= fault.breakAfterChunks) {
      this.#socket.terminate();
      return;
    }
    this.#audioMs += durationMs(audio, session.format);
    this.#soundMs += soundMs(audio, session.format);
    // The other models transcribe once the audio is committed.
    if (/^gpt-(live-transcribe|realtime-whisper)/.test(session.model))
      this.#sendWords(Math.floor(this.#soundMs / wordMs));
  }

  /** Sends the words of the current item up to a count. */
  #sendWords(count: number): void {
    const words = (this.#turns[0] ?? '').split(' ').slice(0, count);
    for (const [at, word] of words.entries()) {
      if (at < this.#sentWords) continue;
      const delta = at === 0 ? word : ` ${word}`;
      this.#send(`${transcription}.delta`, { item_id: this.#itemId, content_index: 0, delta });
    }
    this.#sentWords = Math.max(this.#sentWords, words.length);
  }

  #commit(eventId: unknown): void {
    if (this.#audioMs < minCommitMs) {
      const message = `Error committing input audio buffer: buffer too small. Buffer only has ${this.#audioMs}ms.`;
      this.#refuse(null, message, 'input_audio_buffer_commit_empty', eventId);
      return;
    }
    this.#connection.commits += 1;
    const item_id = this.#itemId;
    const item = wireItem({ id: item_id, type: 'message', role: 'user', content: 'input_audio', text: '', audioMs: 0 });
    const previous_item_id = this.#items === 0 ? null : `item_${this.#items}`;
    this.#send('input_audio_buffer.committed', { previous_item_id, item_id });
    this.#send('conversation.item.added', { previous_item_id, item });
    this.#send('conversation.item.done', { previous_item_id, item });
    const seconds = this.#audioMs / 1_000;
    const hasWords = this.#soundMs >= wordMs;
    if (hasWords && this.#fault !== 'silent-commit') this.#sendWords(Number.POSITIVE_INFINITY);
    const transcript = hasWords ? (this.#turns.shift() ?? '') : '';
    this.#next();
    this.#items += 1;
    if (this.#fault !== 'silent-commit') this.#complete(item_id, transcript, seconds);
  }

  #complete(item_id: string, transcript: string, seconds: number): void {
    const fault = this.#fault;
    if (typeof fault === 'object' && 'fails' in fault && this.#connection.commits === 1) {
      const error = { type: 'server_error', code: fault.fails, message: 'Fault', param: null };
      this.#send(`${transcription}.failed`, { item_id, content_index: 0, error });
      return;
    }
    const usage = { type: 'duration', seconds };
    const complete = (): void =>
      this.#send(`${transcription}.completed`, { item_id, content_index: 0, transcript, usage });
    if (fault === 'reversed' && this.#connection.commits === 1) {
      this.#held.push(complete);
      return;
    }
    complete();
    for (const held of this.#held.splice(0)) held();
  }

  get #itemId(): string {
    return `item_${this.#items + 1}`;
  }

  #next(): void {
    this.#audioMs = 0;
    this.#soundMs = 0;
    this.#sentWords = 0;
  }

  #refuse(param: string | null, message: string, code: string | null, eventId: unknown): void {
    this.#error({ type: 'invalid_request_error', code }, message, param, eventId);
  }

  #error(error: { type: string; code: string | null }, message: string, param: string | null, eventId: unknown): void {
    this.#send('error', { error: { ...error, message, param, event_id: eventId ?? null } });
  }

  #send(type: string, fields: MessageFields): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#fault === 'garbage') for (const each of garbage) this.#socket.send(each);
    this.#events += 1;
    this.#socket.send(JSON.stringify({ type, event_id: `event_${this.#events}`, ...fields }));
  }
}
