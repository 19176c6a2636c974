import type { WebSocket } from 'ws';
import { objectOf, textOf } from '../local-server.ts';
import type { DeepgramBehaviour, DeepgramConnection, DeepgramFault } from './behaviour.ts';
import { fitKeyterms, keytermsOf } from './keyterm-limit.ts';
import { durationMs, formatOf, type SoundFormat, soundMs } from './sound.ts';

/** Sound per word of the transcript. */
const wordMs = 200;
/** Silence after which the end of a turn is reported as likely (`eagerMs`) and as certain (`endMs`). */
const eagerMs = 300;
const endMs = 600;
const garbage = ['{', '[]', '{"type":"TurnInfo","event":7}', '{"type":"TurnInfo","event":"Later"}', '7'];

/**
 * The service's side of a connection to `/v2/listen`: turns are based on sound alone. Unknown control messages end the
 * connection.
 */
export class FluxPeer {
  readonly #socket: WebSocket;
  readonly #connection: DeepgramConnection;
  readonly #fault: DeepgramFault | undefined;
  readonly #behaviour: DeepgramBehaviour;
  readonly #turns: string[];
  readonly #format: SoundFormat;
  readonly #isEager: boolean;
  #sequence = 0;
  #turn = 0;
  #spokenMs = 0;
  #silentMs = 0;
  #positionMs = 0;
  #sentTranscript = '';
  #state: 'silent' | 'speaking' | 'ending' = 'silent';

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
    this.#isEager = connection.query.has('eager_eot_threshold');
    socket.on('close', () => {
      connection.closed = true;
    });
    socket.on('message', (data, isBinary) => {
      // Frames that arrived before the connection was closed are still delivered.
      if (socket.readyState !== socket.OPEN) return;
      if (isBinary) this.#heard(data as Buffer);
      else this.#received(objectOf(textOf(data)));
    });
    this.#send({ type: 'Connected' });
  }

  #heard(audio: Buffer): void {
    this.#connection.audioBytes += audio.length;
    this.#positionMs += durationMs(audio, this.#format);
    const sound = soundMs(audio, this.#format);
    if (sound > 0) this.#onSound(sound);
    else this.#hearNothing(durationMs(audio, this.#format));
    const fault = this.#fault;
    if (typeof fault === 'object' && 'breakAfterBytes' in fault && this.#spokenMs * 8 >= fault.breakAfterBytes) {
      this.#socket.terminate();
    }
  }

  #onSound(sound: number): void {
    this.#silentMs = 0;
    this.#spokenMs += sound;
    const words = (this.#turns[0] ?? '').split(' ').slice(0, Math.floor(this.#spokenMs / wordMs));
    const heard = words.join(' ');
    if (heard === '') return;
    if (this.#state === 'silent') this.#sendTurn('StartOfTurn', heard);
    else if (this.#state === 'ending') this.#sendTurn('TurnResumed', heard);
    else if (heard !== this.#sentTranscript) this.#sendTurn('Update', heard);
    this.#state = 'speaking';
    this.#sentTranscript = heard;
  }

  #hearNothing(silence: number): void {
    this.#silentMs += silence;
    if (this.#state === 'silent') return;
    if (this.#isEager && this.#state === 'speaking' && this.#silentMs >= eagerMs) {
      this.#state = 'ending';
      this.#sendTurn('EagerEndOfTurn', this.#sentTranscript);
    }
    if (this.#silentMs >= endMs && this.#fault !== 'endless-turns') this.#endTurn('model');
  }

  #received(message: Record<string, unknown>): void {
    const type = String(message.type);
    this.#connection.controls.push(type);
    if (type === 'CloseStream') this.#socket.close(1000);
    else if (type === 'Configure') this.#configure(message);
    else if (type === 'ForceEndTurn' && this.#behaviour.forceEndTurn) {
      if (this.#state !== 'silent') this.#endTurn('manual');
    } else {
      this.#send({ type: 'Error', code: 'UNPARSABLE_CLIENT_MESSAGE', description: `unknown message type ${type}` });
      this.#socket.close(1008);
    }
  }

  #configure(message: Record<string, unknown>): void {
    const keyterms = keytermsOf(message);
    if (keyterms !== null && !fitKeyterms(keyterms)) {
      this.#send({ type: 'ConfigureFailure' });
      return;
    }
    if (keyterms !== null) this.#connection.keyterms.push(keyterms);
    const current = this.#connection.keyterms.at(-1) ?? this.#connection.query.getAll('keyterm');
    const { thresholds = {} } = message;
    this.#send({ type: 'ConfigureSuccess', thresholds, keyterms: current });
  }

  #endTurn(trigger: 'model' | 'manual'): void {
    this.#sendTurn('EndOfTurn', this.#turns.shift() ?? '', { trigger });
    this.#turn++;
    this.#spokenMs = 0;
    this.#sentTranscript = '';
    this.#state = 'silent';
  }

  #sendTurn(event: string, transcript: string, more: object = {}): void {
    const spoken = transcript.split(' ').filter((word) => word !== '');
    const startMs = this.#positionMs - this.#spokenMs;
    const words = spoken.map((word, at) => ({
      word,
      confidence: 0.97,
      start: (startMs + at * wordMs) / 1_000,
      end: (startMs + (at + 1) * wordMs) / 1_000,
    }));
    this.#send({
      type: 'TurnInfo',
      event,
      turn_index: this.#turn,
      audio_window_start: Math.max(0, startMs) / 1_000,
      audio_window_end: this.#positionMs / 1_000,
      transcript,
      words,
      end_of_turn_confidence: 0.5,
      ...this.#languages(),
      ...more,
    });
  }

  /** Returns the language fields, which only the multilingual model sends. */
  #languages(): object {
    const { query } = this.#connection;
    if (query.get('model')?.endsWith('-multi') !== true) return {};
    const detected = this.#behaviour.languages[this.#turn];
    return { languages_hinted: query.getAll('language_hint'), languages: detected === undefined ? [] : [detected] };
  }

  #send(message: object): void {
    if (this.#fault === 'garbage') for (const text of garbage) this.#socket.send(text);
    this.#socket.send(JSON.stringify({ request_id: 'request', sequence_id: this.#sequence++, ...message }));
  }
}
