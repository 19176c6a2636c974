import type { TurnEntry } from '../realtime/conversation.ts';
import type { VendorFields } from '../shared/json.ts';
import { UnsettledAudio } from '../shared/unsettled-audio.ts';

/** Maximum of kept audio: 30 seconds at 16 kHz. The oldest audio beyond it is dropped. */
const maxBytes = 30 * 32_000;
/** Chunk size in which held audio is sent. */
const pieceBytes = 32_000;
const maxTexts = 50;

/**
 * The caller's input since the last response. It is one activity of the protocol: its start interrupts a generation,
 * and its end requests a response, so both are sent only when the pipeline wants that. Until the start the input is
 * held, and until the response begins it is kept, to be sent again on another connection.
 */
export class Activity {
  readonly #send: (input: VendorFields) => void;
  readonly #mimeType: string;
  readonly #audio = new UnsettledAudio(maxBytes);
  #texts: string[] = [];
  #open = false;
  /** Turns that the pipeline has committed in this activity. */
  readonly turns: TurnEntry[] = [];
  /** Transcript of the caller's speech, as it arrives. */
  transcript = '';

  constructor(send: (input: VendorFields) => void, sampleRateHz: number) {
    this.#send = send;
    this.#mimeType = `audio/pcm;rate=${sampleRateHz}`;
  }

  get hasAudio(): boolean {
    return this.#audio.chunks.length > 0;
  }

  get isEmpty(): boolean {
    return !this.hasAudio && this.#texts.length === 0;
  }

  addAudio(audio: Uint8Array): void {
    this.#audio.add(audio);
    if (this.#open) this.#sendAudio(audio);
  }

  addText(text: string): void {
    this.#texts.push(text);
    if (this.#texts.length > maxTexts) this.#texts.shift();
  }

  /** Starts the activity, and sends the audio that was held. Has no effect on an open one. */
  start(): void {
    if (this.#open) return;
    this.#open = true;
    this.#send({ activityStart: {} });
    const audio = Buffer.concat(this.#audio.chunks);
    for (let at = 0; at < audio.length; at += pieceBytes) this.#sendAudio(audio.subarray(at, at + pieceBytes));
  }

  /** Ends the activity, which requests the response. @param more further text for the model */
  end(more: readonly string[]): void {
    this.start();
    for (const text of [...this.#texts, ...more]) this.#send({ text });
    this.#open = false;
    this.#send({ activityEnd: {} });
  }

  /** Drops the texts, because they are part of the history that a new session is sent. */
  forgetTexts(): void {
    this.#texts = [];
  }

  /** Marks the activity as not started, because its connection is lost. It starts again on the next one. */
  lost(): void {
    this.#open = false;
  }

  #sendAudio(audio: Uint8Array): void {
    const data = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength).toString('base64');
    this.#send({ audio: { data, mimeType: this.#mimeType } });
  }
}
