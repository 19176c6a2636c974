import type { WebSocket } from 'ws';
import { soundMs } from '../deepgram/sound.ts';
import { objectOf, textOf } from '../local-server.ts';
import type { MessageFields } from '../message-fields.ts';
import { type ItemStatus, wireItem } from './items.ts';
import type {
  RealtimeConnection,
  RealtimeDialectName,
  RealtimeFault,
  RealtimeItem,
  RealtimeReply,
  RealtimeStep,
  RealtimeTranscript,
} from './script.ts';
import { ServedResponse } from './served-response.ts';
import { bytesPerMs, type ToneFormat } from './tone.ts';

const shortestCommitMs = 100;
/** Silence after which the server's turn detection ends a turn. */
const turnSilenceMs = 500;
const garbage = [
  '{"type":',
  '[]',
  'null',
  '{}',
  '{"type":7}',
  '{"type":"response.created","response":"none"}',
  '{"type":"response.done","response":{"id":5}}',
  '{"type":"response.output_audio.delta","response_id":{},"item_id":1,"delta":false}',
  '{"type":"response.function_call_arguments.done","call_id":[],"arguments":{}}',
  '{"type":"conversation.item.input_audio_transcription.completed","item_id":null}',
  '{"type":"rate_limits.updated","rate_limits":[{}]}',
  '{"type":"something.new"}',
  '{"type":"error"}',
];

/** State and functions of the server that its connections share. */
export interface PeerHost {
  readonly dialect: RealtimeDialectName;
  readonly transcripts: RealtimeTranscript[];
  readonly replies: RealtimeReply[];
  nextId(kind: string): string;
  elapsedMs(): number;
}

/** The provider's side of one connection. */
export class RealtimePeer {
  readonly host: PeerHost;
  readonly connection: RealtimeConnection;
  readonly fault: RealtimeFault | undefined;
  readonly #socket: WebSocket;
  readonly #calls = new Set<string>();
  #accepted = false;
  #buffered = 0;
  /** Turn that the server's turn detection has detected; undefined while there is none. */
  #detected: { readonly item: string; silentMs: number } | undefined;
  #erred = false;
  #active: ServedResponse | undefined;

  constructor(host: PeerHost, socket: WebSocket, connection: RealtimeConnection, fault: RealtimeFault | undefined) {
    this.host = host;
    this.connection = connection;
    this.fault = fault;
    this.#socket = socket;
    socket.on('message', (data) => this.#received(objectOf(textOf(data))));
    if (this.cuts('open')) return;
    const model = connection.query.get('model');
    const session = { type: 'realtime', object: 'realtime.session', id: host.nextId('sess'), model };
    this.send({ type: 'session.created', session: { ...session, output_modalities: ['audio'] } });
    if (host.dialect === 'xai') {
      this.send({ type: 'conversation.created', conversation: { object: 'realtime.conversation' } });
    }
  }

  get outputFormat(): ToneFormat {
    return this.#formatOf('output');
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  release(): void {
    this.#active?.release();
  }

  expire(): void {
    this.sendError({ type: 'invalid_request_error', code: 'session_expired' }, 'Your session has come to its end.');
    this.#socket.close(1000);
  }

  send(event: MessageFields): void {
    if (!this.isOpen) return;
    if (this.fault === 'garbage') for (const text of garbage) this.#socket.send(text);
    if (this.host.dialect === 'xai') this.#socket.send('{"type":"ping","timestamp":1}');
    this.#socket.send(JSON.stringify({ event_id: this.host.nextId('event'), ...event }));
  }

  sendError(error: { type: string; code: string | null }, message: string, about?: unknown): void {
    this.send({ type: 'error', error: { ...error, message, param: null, event_id: about ?? null } });
  }

  /** Closes the connection and returns true if the fault names this step; returns false otherwise. */
  cuts(step: RealtimeStep): boolean {
    if (typeof this.fault !== 'object' || !('cutAt' in this.fault) || this.fault.cutAt !== step) return false;
    this.#socket.terminate();
    return true;
  }

  /** @param after id of the preceding item, or `root`. Default: the last one. */
  addItem(item: Omit<RealtimeItem, 'audioMs'>, status: ItemStatus = 'completed', after?: unknown): RealtimeItem {
    const added = { ...item, audioMs: 0 };
    const { items } = this.connection;
    const at = after === 'root' ? 0 : items.findIndex(({ id }) => id === after) + 1 || items.length;
    items.splice(at, 0, added);
    if (added.callId !== undefined && added.type === 'function_call') this.#calls.add(added.callId);
    this.#sendItem('conversation.item.added', added, status);
    if (status === 'completed') this.#sendItem('conversation.item.done', added, status);
    return added;
  }

  /** Marks the item as complete. */
  completeItem(item: RealtimeItem, status: ItemStatus): void {
    this.#sendItem('conversation.item.done', item, status);
  }

  #sendItem(type: string, item: RealtimeItem, status: ItemStatus): void {
    const { items } = this.connection;
    const previous = items[items.indexOf(item) - 1]?.id ?? null;
    this.send({ type, previous_item_id: previous, item: wireItem(item, status) });
  }

  finished(response: ServedResponse): void {
    if (this.#active === response) this.#active = undefined;
  }

  #received(event: MessageFields): void {
    // `ws` still emits frames that arrived before the connection was closed; they are ignored.
    if (!this.isOpen) return;
    const { fault, connection } = this;
    const type = String(event.type);
    connection.events.push({ atMs: this.host.elapsedMs(), event });
    if (!this.#accepted && type !== 'session.update') connection.early++;
    if (stepOf(type) !== undefined && this.cuts(stepOf(type) ?? 'open')) return;
    if (typeof fault === 'object' && 'ignores' in fault && fault.ignores === type) return;
    if (typeof fault === 'object' && 'error' in fault && fault.to === type && !this.#erred) {
      this.#erred = true;
      this.sendError(fault.error, `Fault ${fault.error.code} with ${connection.headers.authorization}`, event.event_id);
      return;
    }
    const handle = this.#handlers[type];
    if (handle !== undefined) handle(event);
    else this.sendError({ type: 'invalid_request_error', code: 'invalid_value' }, `No event ${type}`, event.event_id);
  }

  readonly #handlers: Readonly<Record<string, (event: MessageFields) => void>> = {
    'session.update': (event) => this.#update(event),
    'input_audio_buffer.append': ({ audio }) => {
      const bytes = Buffer.from(String(audio), 'base64');
      this.#buffered += bytes.length;
      this.connection.audioBytes += bytes.length;
      if (this.#detectsTurns) this.#detect(bytes);
    },
    'input_audio_buffer.clear': () => {
      this.#buffered = 0;
      this.send({ type: 'input_audio_buffer.cleared' });
    },
    'input_audio_buffer.commit': (event) => this.#commit(event),
    'conversation.item.create': (event) => this.#create(event),
    'conversation.item.truncate': (event) => this.#truncate(event),
    'conversation.item.retrieve': ({ item_id, event_id }) => {
      const item = this.#itemOf(item_id, 'item_retrieve_invalid_item_id', event_id);
      if (item !== undefined) this.send({ type: 'conversation.item.retrieved', item: wireItem(item) });
    },
    'conversation.item.delete': ({ item_id, event_id }) => {
      const item = this.#itemOf(item_id, 'item_delete_invalid_item_id', event_id);
      if (item === undefined) return;
      this.connection.items.splice(this.connection.items.indexOf(item), 1);
      this.send({ type: 'conversation.item.deleted', item_id });
    },
    'response.create': (event) => {
      const response = objectIn(event.response);
      this.#respond(event, replyOf(response), response.metadata);
    },
    'response.cancel': (event) => this.#cancel(event),
  };

  #update({ session: changes, event_id }: MessageFields): void {
    const session = objectIn(changes);
    // xAI accepts session fields in its own flat form and in OpenAI's nested form.
    if (this.host.dialect === 'openai' && (session.type !== 'realtime' || 'voice' in session)) {
      const error = { type: 'invalid_request_error', code: 'missing_required_parameter' };
      this.sendError(error, 'The session is not described as this API has it.', event_id);
      return;
    }
    this.connection.session = { ...this.connection.session, ...session };
    const { fault } = this;
    const delayMs = typeof fault === 'object' && 'sessionDelayMs' in fault ? fault.sessionDelayMs : 0;
    if (delayMs === 0 || this.#accepted) this.#accept();
    else setTimeout(() => this.#accept(), delayMs);
  }

  #accept(): void {
    const isFirst = !this.#accepted;
    this.#accepted = true;
    this.send({ type: 'session.updated', session: this.connection.session });
    if (this.cuts('session.updated') || !isFirst) return;
    if (this.fault === 'huge-frame') this.#socket.send(`{"type":"${'x'.repeat(17 * 1024 * 1024)}"}`);
    if (this.fault === 'deaf') this.#socket.pause();
    if (this.fault === 'unasked-response') this.#respond({}, { text: 'By the way', holdAfterWords: 1 });
  }

  #commit({ event_id }: MessageFields): void {
    if (this.#buffered < shortestCommitMs * bytesPerMs(this.#formatOf('input'))) {
      const error = { type: 'invalid_request_error', code: 'input_audio_buffer_commit_empty' };
      this.sendError(error, 'The buffer is too small.', event_id);
      return;
    }
    this.#commitBuffer(this.host.nextId('item'));
  }

  #commitBuffer(id: string): void {
    this.#buffered = 0;
    const { text, delayMs = 0 } = this.host.transcripts.shift() ?? { text: 'turn' };
    const previous = this.connection.items.at(-1)?.id ?? null;
    this.send({ type: 'input_audio_buffer.committed', previous_item_id: previous, item_id: id });
    const item = this.addItem({ id, type: 'message', role: 'user', content: 'input_audio', text: '(audio)' });
    setTimeout(() => this.#transcribe(item, text), delayMs);
  }

  /** True if the client has requested the server's turn detection. */
  get #detectsTurns(): boolean {
    const { session } = this.connection;
    const asked = objectIn(objectIn(session.audio).input).turn_detection ?? session.turn_detection;
    return typeof asked === 'object' && asked !== null;
  }

  #detect(audio: Uint8Array): void {
    const { encoding, sampleRateHz } = this.#formatOf('input');
    const names = { pcm16: 'linear16', pcmu: 'mulaw', pcma: 'alaw' };
    const audioMs = audio.length / bytesPerMs({ encoding, sampleRateHz });
    const atMs = Math.round(this.connection.audioBytes / bytesPerMs({ encoding, sampleRateHz }));
    const isSound = soundMs(audio, { encoding: names[encoding], sampleRateHz }) > 0;
    if (isSound && this.#detected === undefined) {
      const item = this.host.nextId('item');
      this.#detected = { item, silentMs: 0 };
      this.send({ type: 'input_audio_buffer.speech_started', audio_start_ms: atMs, item_id: item });
      return;
    }
    const detected = this.#detected;
    if (detected === undefined) return;
    detected.silentMs = isSound ? 0 : detected.silentMs + audioMs;
    if (detected.silentMs < turnSilenceMs) return;
    this.#detected = undefined;
    this.send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: atMs, item_id: detected.item });
    this.#commitBuffer(detected.item);
    if (this.#active === undefined) this.#respond({}, undefined);
  }

  #transcribe(item: RealtimeItem, text: string | null): void {
    const event = { item_id: item.id, content_index: 0 };
    const prefix = 'conversation.item.input_audio_transcription';
    if (text === null) {
      this.send({ ...event, type: `${prefix}.failed`, error: { type: 'transcription_error', message: 'No words.' } });
      return;
    }
    // xAI sends partial transcripts under the event name of complete ones.
    const part = text.slice(0, text.length / 2);
    item.transcript = text;
    const usage = { type: 'duration', seconds: 1 };
    if (this.host.dialect === 'xai') {
      this.send({ ...event, type: `${prefix}.updated`, transcript: part });
      this.send({ ...event, type: `${prefix}.completed`, transcript: part, status: 'in_progress' });
      this.send({ ...event, type: `${prefix}.completed`, transcript: text, status: 'completed', usage });
      return;
    }
    this.send({ ...event, type: `${prefix}.delta`, delta: part });
    this.send({ ...event, type: `${prefix}.completed`, transcript: text, usage });
  }

  /** Returns the item with the id; if there is none, sends an error to the client. */
  #itemOf(id: unknown, code: string, eventId: unknown): RealtimeItem | undefined {
    const item = this.connection.items.find((each) => each.id === id);
    if (item === undefined) this.sendError({ type: 'invalid_request_error', code }, `No item ${String(id)}.`, eventId);
    return item;
  }

  #create({ item: given, event_id, previous_item_id: after }: MessageFields): void {
    const { id, type, role, content, call_id, output, name, arguments: args } = objectIn(given);
    const parts = Array.isArray(content) ? content.map((part) => String(objectIn(part).text ?? '')) : [];
    if (type === 'force_message' && this.host.dialect === 'xai') {
      this.#respond({ event_id }, { text: parts.join('') });
      return;
    }
    if (type === 'function_call_output' && (typeof output !== 'string' || !this.#calls.has(String(call_id)))) {
      const error = { type: 'invalid_request_error', code: 'invalid_tool_call_id' };
      this.sendError(error, `There is no call ${String(call_id)}.`, event_id);
      return;
    }
    const texts: Readonly<Record<string, unknown>> = { function_call_output: output, function_call: name };
    const item: Omit<RealtimeItem, 'audioMs'> = {
      id: typeof id === 'string' ? id : this.host.nextId('item'),
      type: String(type),
      text: String(texts[String(type)] ?? parts.join('')),
      ...(type === 'message' && { content: role === 'assistant' ? 'output_text' : 'input_text' }),
      ...(typeof role === 'string' && { role }),
      ...(typeof call_id === 'string' && { callId: call_id }),
      ...(typeof args === 'string' && { arguments: args }),
    };
    this.addItem(item, 'completed', after);
  }

  #truncate({ item_id, audio_end_ms, event_id }: MessageFields): void {
    const item = this.connection.items.find(({ id }) => id === item_id);
    if (item !== undefined && (item.role !== 'assistant' || item.audioMs === 0)) {
      const error = { type: 'invalid_request_error', code: 'unsupported_content_type' };
      this.sendError(error, 'Only model output audio messages can be truncated.', event_id);
      return;
    }
    if (item === undefined || typeof audio_end_ms !== 'number' || audio_end_ms > item.audioMs) {
      const error = { type: 'invalid_request_error', code: 'invalid_value' };
      this.sendError(error, `Audio of ${item?.audioMs} ms cannot end at ${String(audio_end_ms)} ms.`, event_id);
      return;
    }
    item.audioMs = audio_end_ms;
    item.text = '';
    this.send({ type: 'conversation.item.truncated', item_id, content_index: 0, audio_end_ms });
  }

  #respond({ event_id }: MessageFields, said: RealtimeReply | undefined, metadata?: unknown): void {
    if (this.#active !== undefined) {
      const error = { type: 'invalid_request_error', code: 'conversation_already_has_active_response' };
      this.sendError(error, `There is ${this.#active.id}.`, this.fault === 'sparse-ids' ? undefined : event_id);
      return;
    }
    const reply = said ?? this.host.replies.shift() ?? { text: 'Okay.' };
    this.#active = new ServedResponse(this, this.host.nextId('resp'), reply, metadata);
    void this.#active.run();
  }

  #cancel({ response_id, event_id }: MessageFields): void {
    const active = this.#active;
    if (active === undefined || (response_id !== undefined && response_id !== active.id)) {
      const error = { type: 'invalid_request_error', code: 'response_cancel_not_active' };
      this.sendError(error, 'There is no active response.', this.fault === 'sparse-ids' ? undefined : event_id);
      return;
    }
    active.cancel();
  }

  #formatOf(direction: 'input' | 'output'): ToneFormat {
    const { format } = objectIn(objectIn(this.connection.session.audio)[direction]);
    const { type, rate } = objectIn(format);
    if (type === 'audio/pcm') return { encoding: 'pcm16', sampleRateHz: Number(rate ?? 24_000) };
    return { encoding: type === 'audio/pcma' ? 'pcma' : 'pcmu', sampleRateHz: 8_000 };
  }
}

function stepOf(type: string): RealtimeStep | undefined {
  const steps: readonly string[] = [
    'session.update',
    'input_audio_buffer.append',
    'input_audio_buffer.commit',
    'response.create',
    'response.cancel',
  ];
  return steps.includes(type) ? (type as RealtimeStep) : undefined;
}

/**
 * Returns the reply to a request with its own instructions, which says the text after their first empty line; undefined
 * without instructions.
 */
function replyOf({ instructions }: MessageFields): RealtimeReply | undefined {
  if (typeof instructions !== 'string') return undefined;
  const [, text = instructions] = /\n\n(.*)$/s.exec(instructions) ?? [];
  return { text };
}

function objectIn(value: unknown): MessageFields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
