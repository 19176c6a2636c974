import type { WebSocket } from 'ws';
import { objectOf, textOf } from '../local-server.ts';
import type { DeepgramBehaviour, DeepgramConnection, DeepgramFault } from './behaviour.ts';
import { fitKeyterms, keytermsOf } from './keyterm-limit.ts';
import { durationMs, formatOf, type SoundFormat, soundMs } from './sound.ts';

/** Sound per word of the transcript. */
const wordMs = 200;
/** Number of words after which a segment becomes final while the caller still speaks. */
const wordsPerSegment = 15;
const defaultEndpointingMs = 10;
const garbage = ['{"type":', '[]', '{"type":"Results","channel":7}', '{"type":"SpeechStarted"}'];

interface Flags {
  readonly is_final: boolean;
  readonly speech_final: boolean;
  readonly from_finalize: boolean;
}

const interim: Flags = { is_final: false, speech_final: false, from_finalize: false };

/** The service's side of a connection to `/v1/listen`. */
export class NovaPeer {
  readonly #socket: WebSocket;
  readonly #connection: DeepgramConnection;
  readonly #fault: DeepgramFault | undefined;
  readonly #behaviour: DeepgramBehaviour;
  readonly #turns: string[];
  readonly #format: SoundFormat;
  /** Silence after which the service ends a segment without a request, in milliseconds; null if it does not. */
  readonly #endpointingMs: number | null;
  /** Sound of the turn, and the part of it since the last final result. */
  #turnMs = 0;
  #unsettledMs = 0;
  #silentMs = 0;
  /** Number of turns that have ended. */
  #turn = 0;
  /** Number of final words of the turn. */
  #settledWords = 0;
  #positionMs = 0;
  #segmentStartMs = 0;
  /** True after too many key terms: the service then transcribes nothing more. */
  #isDeaf = false;

  constructor(
    socket: WebSocket,
    connection: DeepgramConnection,
    options: { fault: DeepgramFault | undefined; behaviour: DeepgramBehaviour; turns: string[] },
  ) {
    this.#socket = socket;
    this.#connection = connection;
    this.#fault = options.fault;
    this.#behaviour = options.behaviour;
    this.#turns = options.turns;
    this.#format = formatOf(connection.query);
    this.#endpointingMs = endpointingOf(connection.query, options.behaviour);
    socket.on('close', () => {
      connection.closed = true;
    });
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.#heard(data as Buffer);
      else this.#onControl(objectOf(textOf(data)));
    });
  }

  #heard(audio: Buffer): void {
    this.#connection.audioBytes += audio.length;
    const sound = soundMs(audio, this.#format);
    const before = this.#words().length;
    this.#positionMs += durationMs(audio, this.#format);
    this.#turnMs += sound;
    this.#unsettledMs += sound;
    this.#silentMs = sound > 0 ? 0 : this.#silentMs + durationMs(audio, this.#format);
    const fault = this.#fault;
    if (typeof fault === 'object' && 'breakAfterBytes' in fault && this.#turnMs * 8 >= fault.breakAfterBytes) {
      this.#socket.terminate();
      return;
    }
    if (this.#isDeaf) return;
    const words = this.#words();
    if (words.length > before) this.#send(words, interim);
    if (words.length >= wordsPerSegment) {
      this.#settledWords += words.length;
      this.#settle(words, { ...interim, is_final: true });
    }
    const isEndpoint = this.#endpointingMs !== null && this.#silentMs >= this.#endpointingMs && this.#unsettledMs > 0;
    if (isEndpoint && this.#turnMs >= wordMs)
      this.#endTurn({ is_final: true, speech_final: true, from_finalize: false });
  }

  #onControl(message: Record<string, unknown>): void {
    const type = String(message.type);
    this.#connection.controls.push(type);
    if (type === 'Finalize') this.#finalize();
    else if (type === 'Configure') this.#configure(message);
    else if (type === 'CloseStream') {
      this.#sendMessage({
        type: 'Metadata',
        transaction_key: 'deprecated',
        request_id: 'request',
        sha256: '0'.repeat(64),
        created: '2026-01-01T09:00:00.000Z',
        duration: this.#positionMs / 1_000,
        channels: 1,
      });
      this.#socket.close(1000);
    }
  }

  #finalize(): void {
    const isEmpty = this.#unsettledMs === 0;
    const { finalize } = this.#behaviour;
    if (this.#fault === 'silent-finalize' || this.#isDeaf) return;
    if (isEmpty && finalize === 'unanswered-when-empty') {
      this.#connection.unansweredFinalizes++;
      return;
    }
    const flags = { is_final: true, speech_final: true, from_finalize: true };
    // No sound has arrived since the last final result, so the response has no words.
    if (isEmpty && finalize === 'answered' && this.#settledWords === 0 && this.#connection.audioBytes > 0) {
      this.#settle([], flags);
    } else this.#endTurn(flags);
  }

  #configure(message: Record<string, unknown>): void {
    const keyterms = keytermsOf(message);
    if (keyterms === null || !String(this.#connection.query.get('model')).startsWith('nova-3')) {
      this.#sendMessage({ type: 'ConfigureFailure', request_id: 'request' });
      return;
    }
    this.#connection.keyterms.push(keyterms);
    // With too many key terms, the service stops transcribing instead of rejecting them.
    if (!fitKeyterms(keyterms)) this.#isDeaf = true;
    else this.#sendMessage({ type: 'ConfigureSuccess', request_id: 'request', keyterms });
  }

  /** Returns the recognized words of the current turn that are not final. */
  #words(): string[] {
    const words = (this.#turns[0] ?? '').split(' ').filter((word) => word !== '');
    return words.slice(this.#settledWords, Math.floor(this.#turnMs / wordMs));
  }

  #endTurn(flags: Flags): void {
    const words = (this.#turns.shift() ?? '').split(' ').slice(this.#settledWords);
    this.#turnMs = 0;
    this.#settledWords = 0;
    this.#settle(words, flags);
    this.#turn++;
  }

  #settle(words: readonly string[], flags: Flags): void {
    this.#unsettledMs = 0;
    this.#send(words, flags);
    this.#segmentStartMs = this.#positionMs;
  }

  #send(words: readonly string[], flags: Flags): void {
    const start = this.#segmentStartMs / 1_000;
    const timed = words.map((word, at) => ({
      word: word.toLowerCase(),
      start: start + (at * wordMs) / 1_000,
      end: start + ((at + 1) * wordMs) / 1_000,
      confidence: 0.98,
      punctuated_word: word,
    }));
    if (this.#fault === 'garbage') for (const text of garbage) this.#socket.send(text);
    this.#sendMessage({
      type: 'Results',
      channel_index: [0, 1],
      duration: (this.#positionMs - this.#segmentStartMs) / 1_000,
      start,
      ...flags,
      channel: {
        alternatives: [{ transcript: words.join(' '), confidence: 0.98, words: timed, ...this.#languages() }],
      },
      metadata: {
        request_id: 'request',
        model_uuid: 'model',
        model_info: { name: 'general-nova-3', version: '2026-01-01.0', arch: 'nova-3' },
      },
    });
  }

  /** Returns the detected language, which only the multilingual model sends, and not in each result. */
  #languages(): object {
    const detected = this.#behaviour.languages[this.#turn];
    const isMultilingual = this.#connection.query.get('language') === 'multi';
    return isMultilingual && detected !== undefined ? { languages: [detected] } : {};
  }

  #sendMessage(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }
}

function endpointingOf(query: URLSearchParams, { endpointing }: DeepgramBehaviour): number | null {
  if (endpointing === 'always') return defaultEndpointingMs;
  const asked = query.get('endpointing');
  if (asked === 'false') return null;
  return asked === null || asked === 'true' ? defaultEndpointingMs : Number(asked);
}
