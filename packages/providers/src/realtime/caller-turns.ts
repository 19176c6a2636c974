import type { AudioFormat } from '@va/core/adapter';
import { bytesPerMs } from '../shared/bytes-per-ms.ts';
import type { VendorFields } from '../shared/json.ts';
import { UnsettledAudio } from '../shared/unsettled-audio.ts';
import type { Conversation, TurnEntry } from './conversation.ts';
import type { ReportedError } from './fault.ts';

/** Minimum audio of a turn; the providers reject less. */
const shortestTurnMs = 100;
/** Audio of a turn kept for sending again; the oldest is dropped. */
const longestTurnMs = 30_000;
/** Maximum number of turns that keep their audio while they wait for their transcript. */
const maxTurnsWithAudio = 3;
/** Chunk size of audio that is sent again. */
const pieceBytes = 48_000;

/** Sends events to the provider, and emits the transcripts of turns. */
export interface CallerTurnsHost {
  sendEvent(event: VendorFields): void;
  emitUserText(turn: number, text: string): void;
}

/** Splits the caller's audio into turns, and maps each turn to the provider's item. */
export class CallerTurns {
  readonly #host: CallerTurnsHost;
  readonly #conversation: Conversation;
  readonly #shortestBytes: number;
  readonly #audio: UnsettledAudio;
  #audioBytes = 0;
  /** Turns that were committed on this connection and have no item of the provider yet, oldest first. */
  #committed: TurnEntry[] = [];
  readonly #items = new Map<string, TurnEntry>();
  /** Turns without a transcript yet, oldest first. */
  #untranscribed: TurnEntry[] = [];

  constructor(host: CallerTurnsHost, conversation: Conversation, format: AudioFormat) {
    this.#host = host;
    this.#conversation = conversation;
    this.#shortestBytes = shortestTurnMs * bytesPerMs(format);
    this.#audio = new UnsettledAudio(longestTurnMs * bytesPerMs(format));
  }

  /** True if there is neither audio of an open turn nor a turn without its transcript. */
  get isIdle(): boolean {
    return this.#audioBytes === 0 && this.#untranscribed.length === 0;
  }

  add(audio: Uint8Array): void {
    this.#audio.add(audio);
    this.#audioBytes += audio.length;
    this.#append(audio);
  }

  commit(turn: number): void {
    if (this.#audioBytes < this.#shortestBytes) {
      this.#forget();
      this.#host.emitUserText(turn, '');
      return;
    }
    const entry = this.#conversation.addTurn(turn, this.#takeAudio());
    this.#untranscribed.push(entry);
    const tooMany = this.#untranscribed.at(-1 - maxTurnsWithAudio);
    if (tooMany !== undefined) tooMany.audio = [];
    this.#commit(entry);
  }

  /** Forgets the items of a lost connection. */
  lost(): void {
    this.#committed = [];
    this.#items.clear();
  }

  /**
   * Sends the audio of a committed turn without a transcript again. If the audio was dropped, the transcript is empty.
   */
  repeat(entry: TurnEntry): void {
    if (entry.audio.length === 0) {
      this.#setTranscript(entry, '');
      return;
    }
    this.#appendAll(entry.audio);
    this.#commit(entry);
  }

  /** Sends the audio of the uncommitted turn again. */
  repeatOpenTurn(): void {
    this.#appendAll(this.#audio.chunks);
  }

  becameItem(item: string): void {
    const entry = this.#committed.shift();
    if (entry !== undefined) this.#items.set(item, entry);
  }

  transcribed(item: string, text: string): void {
    const entry = this.#items.get(item);
    if (entry === undefined) return;
    this.#items.delete(item);
    this.#setTranscript(entry, text);
  }

  /** Returns true if the error concerned a commit. The turn of that commit gets an empty transcript. */
  refused({ eventId, code }: ReportedError): boolean {
    const named = this.#committed.find((entry) => commitId(entry) === eventId);
    const entry = named ?? (code === 'input_audio_buffer_commit_empty' ? this.#committed[0] : undefined);
    if (entry === undefined) return false;
    this.#committed = this.#committed.filter((each) => each !== entry);
    this.#setTranscript(entry, '');
    return true;
  }

  #setTranscript(entry: TurnEntry, text: string): void {
    entry.text = text;
    entry.audio = [];
    this.#untranscribed = this.#untranscribed.filter((each) => each !== entry);
    this.#host.emitUserText(entry.turn, text);
  }

  #forget(): void {
    if (this.#audioBytes === 0) return;
    this.#takeAudio();
    this.#host.sendEvent({ type: 'input_audio_buffer.clear' });
  }

  #takeAudio(): readonly Uint8Array[] {
    const { chunks } = this.#audio;
    this.#audio.clear();
    this.#audioBytes = 0;
    return chunks;
  }

  #commit(entry: TurnEntry): void {
    this.#committed.push(entry);
    this.#host.sendEvent({ type: 'input_audio_buffer.commit', event_id: commitId(entry) });
  }

  #appendAll(chunks: readonly Uint8Array[]): void {
    const audio = Buffer.concat(chunks);
    for (let at = 0; at < audio.length; at += pieceBytes) this.#append(audio.subarray(at, at + pieceBytes));
  }

  #append(audio: Uint8Array): void {
    const { buffer, byteOffset, byteLength } = audio;
    const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
    this.#host.sendEvent({ type: 'input_audio_buffer.append', audio: base64 });
  }
}

function commitId({ turn }: TurnEntry): string {
  return `commit-${turn}`;
}
