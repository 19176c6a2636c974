import type { WebSocket } from 'ws';
import { durationMs, soundMs } from '../deepgram/sound.ts';
import { objectOf, textOf } from '../local-server.ts';
import type { AssemblyAiConnection, AssemblyAiFault } from './behaviour.ts';

/** Sound per word of the transcript. */
const wordMs = 200;
const defaultSilenceMs = 400;
const garbage = ['{', '[]', '{"type":"Turn","turn_order":"0"}', '7'];

/** The service's side of a connection to `/v3/ws`. */
export class AssemblyAiPeer {
  readonly #socket: WebSocket;
  readonly #connection: AssemblyAiConnection;
  readonly #fault: AssemblyAiFault | undefined;
  readonly #turns: string[];
  readonly #languages: (string | undefined)[];
  readonly #format: { readonly encoding: string; readonly sampleRateHz: number };
  readonly #silenceMs: number;
  #order = 0;
  #spokenMs = 0;
  #silentMs = 0;
  #sentWords = 0;

  constructor(
    socket: WebSocket,
    connection: AssemblyAiConnection,
    {
      fault,
      turns,
      languages,
    }: {
      readonly fault: AssemblyAiFault | undefined;
      readonly turns: string[];
      readonly languages: (string | undefined)[];
    },
  ) {
    this.#socket = socket;
    this.#connection = connection;
    this.#fault = fault;
    this.#turns = turns;
    this.#languages = languages;
    const { query } = connection;
    const encoding = query.get('encoding') === 'pcm_mulaw' ? 'mulaw' : 'linear16';
    this.#format = { encoding, sampleRateHz: Number(query.get('sample_rate')) };
    this.#silenceMs = Number(query.get('min_turn_silence') ?? defaultSilenceMs);
    socket.on('close', () => {
      connection.closed = true;
    });
    socket.on('message', (data, isBinary) => {
      // Frames that arrived before the connection was closed are still delivered.
      if (socket.readyState !== socket.OPEN) return;
      if (isBinary) this.#heard(data as Buffer);
      else this.#received(objectOf(textOf(data)));
    });
    if (typeof fault === 'object' && 'error' in fault) this.#refuse(fault.error, `Fault ${fault.error}`);
    else this.#send({ type: 'Begin', id: 'session', expires_at: 2_000_000_000 });
  }

  #heard(audio: Buffer): void {
    const duration = durationMs(audio, this.#format);
    this.#connection.audioBytes += audio.length;
    this.#connection.chunks.push(duration);
    if (duration < 50 || duration > 1_000) {
      this.#refuse(3007, `Input duration violation: ${duration} ms. Expected between 50 and 1000 ms`);
      return;
    }
    const fault = this.#fault;
    if (typeof fault === 'object' && 'breakAfterChunks' in fault) {
      if (this.#connection.chunks.length >= fault.breakAfterChunks) this.#socket.terminate();
    }
    if (fault === 'silent') return;
    const sound = soundMs(audio, this.#format);
    this.#spokenMs += sound;
    this.#silentMs = sound > 0 ? 0 : this.#silentMs + duration;
    const words = this.#words();
    if (words.length > this.#sentWords) {
      this.#sentWords = words.length;
      // The last word is not final yet, so the transcript does not have it.
      this.#turn(words, false, false);
    }
    if (this.#sentWords > 0 && this.#silentMs >= this.#silenceMs) this.#endTurn();
  }

  #received(message: Record<string, unknown>): void {
    this.#connection.controls.push(message);
    switch (message.type) {
      case 'Terminate':
        this.#send({ type: 'Termination', audio_duration_seconds: 1, session_duration_seconds: 1 });
        this.#socket.close(1000);
        break;
      case 'ForceEndpoint':
        // A turn without words does not end, and gets no response.
        if (this.#spokenMs >= wordMs && this.#fault !== 'silent') this.#endTurn();
        break;
      case 'UpdateConfiguration':
      case 'KeepAlive':
        break;
      default:
        this.#refuse(3006, 'Invalid Message Type');
    }
  }

  #words(): string[] {
    const words = (this.#turns[0] ?? '').split(' ').filter((word) => word !== '');
    return words.slice(0, Math.floor(this.#spokenMs / wordMs));
  }

  #endTurn(): void {
    const words = (this.#turns.shift() ?? '').split(' ');
    this.#turn(words, true, false);
    const isFormatted = this.#connection.query.get('format_turns') === 'true';
    if (isFormatted && this.#fault !== 'unformatted') this.#turn(words, true, true);
    this.#languages.shift();
    this.#order++;
    this.#spokenMs = 0;
    this.#silentMs = 0;
    this.#sentWords = 0;
  }

  #turn(words: readonly string[], isEnd: boolean, isFormatted: boolean): void {
    const text = (isEnd ? words : words.slice(0, -1)).join(' ');
    const formatted = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
    if (this.#fault === 'garbage') for (const each of garbage) this.#socket.send(each);
    // The language is known once the turn has ended, and is sent only with its first version.
    const detects = this.#connection.query.get('language_detection') === 'true' && isEnd && !isFormatted;
    const language_code = detects ? this.#languages[0] : undefined;
    this.#send({
      type: 'Turn',
      turn_order: this.#order,
      turn_is_formatted: isFormatted,
      end_of_turn: isEnd,
      transcript: isFormatted ? formatted : text,
      end_of_turn_confidence: isEnd ? 0.8 : 0.1,
      ...(language_code !== undefined && { language_code, language_confidence: 0.98 }),
      words: words.map((word, at) => ({
        text: word,
        start: at * wordMs,
        end: (at + 1) * wordMs,
        confidence: 0.97,
        word_is_final: isEnd || at < words.length - 1,
      })),
    });
  }

  #refuse(code: number, error: string): void {
    this.#send({ type: 'Error', error_code: code, error });
    this.#socket.close(code, error);
  }

  #send(message: object): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
