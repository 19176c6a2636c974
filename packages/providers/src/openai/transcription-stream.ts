import {
  EventQueue,
  ProviderError,
  type SttEvent,
  type SttStream,
  type SttStreamOptions,
  toError,
} from '@va/core/adapter';
import { FormData } from 'undici';
import { Reconnection } from '../shared/connection/reconnection.ts';
import { parseFields } from '../shared/json.ts';
import { UnsettledAudio } from '../shared/unsettled-audio.ts';
import { type AudioEndpoint, AudioRequest } from './speech-endpoint.ts';
import { promptOf } from './transcription-prompt.ts';
import { toWav } from './wav.ts';

/** Audio included from before the detected start of speech, because the VAD reports a start after the onset. */
const lookBackMs = 1_000;
/** Longer speech is transcribed in parts. */
const maxSegmentMs = 60_000;
/** The service rejects audio of less than 0.1 s. */
const minSegmentMs = 100;
const maxResponseBytes = 1024 * 1024;

/** Endpoint and fixed fields of the requests of a stream. */
interface TranscriptionTarget {
  readonly endpoint: AudioEndpoint;
  readonly model: string;
  readonly prompt: string | undefined;
  /** Form fields beside `file`, `model`, `prompt` and `response_format`. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Collects the caller's speech from its detected start to `finalize`, and transcribes one segment after the other. */
export class TranscriptionStream implements SttStream {
  readonly #target: TranscriptionTarget;
  readonly #options: SttStreamOptions;
  readonly #events = new EventQueue<SttEvent>();
  readonly #bytesPerMs: number;
  readonly #abort = (): void => this.close();
  readonly #lookBack: UnsettledAudio;
  #hints: readonly string[];
  #speech: Uint8Array[] = [];
  #speechBytes = 0;
  #isSpeaking = false;
  #closed = false;
  /** Resolves when the last queued segment was transcribed. */
  #queue: Promise<void> = Promise.resolve();
  #request: AudioRequest | undefined;
  #stopWaiting: (() => void) | undefined;

  constructor(target: TranscriptionTarget, options: SttStreamOptions) {
    this.#target = target;
    this.#options = options;
    this.#hints = options.hints;
    this.#bytesPerMs = (options.format.sampleRateHz * 2) / 1000;
    this.#lookBack = new UnsettledAudio(lookBackMs * this.#bytesPerMs);
    if (options.signal.aborted) this.close();
    else options.signal.addEventListener('abort', this.#abort, { once: true });
  }

  [Symbol.asyncIterator](): AsyncIterator<SttEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  send(audio: Uint8Array): void {
    if (this.#closed) return;
    if (!this.#isSpeaking) {
      this.#lookBack.add(audio);
      return;
    }
    this.#speech.push(audio.slice());
    this.#speechBytes += audio.length;
    if (this.#speechBytes >= maxSegmentMs * this.#bytesPerMs) this.#enqueue(this.#takeSpeech(), false);
  }

  speechStarted(): void {
    if (this.#isSpeaking) return;
    this.#isSpeaking = true;
    for (const chunk of this.#lookBack.chunks) {
      this.#speech.push(chunk);
      this.#speechBytes += chunk.length;
    }
    this.#lookBack.clear();
  }

  finalize(): void {
    // Without a detected start, the last second may have words.
    this.speechStarted();
    this.#isSpeaking = false;
    this.#enqueue(this.#takeSpeech(), true);
  }

  setHints(hints: readonly string[]): void {
    this.#hints = hints;
  }

  close(): void {
    this.#events.discard();
    this.#stop();
  }

  #takeSpeech(): readonly Uint8Array[] {
    const chunks = this.#speechBytes < minSegmentMs * this.#bytesPerMs ? [] : this.#speech;
    this.#speech = [];
    this.#speechBytes = 0;
    return chunks;
  }

  #enqueue(chunks: readonly Uint8Array[], isFinalized: boolean): void {
    this.#queue = this.#queue.then(async () => {
      try {
        const text = chunks.length === 0 || this.#closed ? '' : await this.#transcribe(chunks);
        if (text !== '') this.#events.push({ type: 'final', text });
        if (isFinalized) this.#events.push({ type: 'finalized' });
      } catch (thrown) {
        this.#events.fail(toError(thrown));
        this.#stop();
      }
    });
  }

  async #transcribe(chunks: readonly Uint8Array[]): Promise<string> {
    const file = toWav(chunks, this.#options.format.sampleRateHz);
    const retries = new Reconnection(this.#options.clock);
    for (;;) {
      try {
        return await this.#attempt(file);
      } catch (thrown) {
        const isTemporary = thrown instanceof ProviderError && (thrown.retryable || thrown.fault === 'protocol');
        if (this.#closed || !isTemporary || !(await this.#delayed(retries))) throw thrown;
        const { logger } = this.#options;
        logger.warn({ provider: this.#target.endpoint.id, err: thrown }, 'failed to transcribe; trying again');
      }
    }
  }

  /** Waits before the next attempt; false when the attempts are used up, or the stream is closed. */
  async #delayed(retries: Reconnection): Promise<boolean> {
    const isNext = await new Promise<boolean>((resolve) => {
      this.#stopWaiting = () => {
        retries.cancel();
        resolve(false);
      };
      if (!retries.schedule(() => resolve(true))) resolve(false);
    });
    return isNext && !this.#closed;
  }

  async #attempt(file: Uint8Array<ArrayBuffer>): Promise<string> {
    const { endpoint, model, prompt, fields } = this.#target;
    const form = new FormData();
    form.set('file', new Blob([file], { type: 'audio/wav' }), 'speech.wav');
    form.set('model', model);
    form.set('response_format', 'json');
    const prompts = [prompt, promptOf(model, this.#hints).prompt].filter((each) => each !== undefined);
    if (prompts.length > 0) form.set('prompt', prompts.join(' '));
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const request = new AudioRequest(endpoint, this.#options.clock);
    this.#request = request;
    const response = await request.send(form, maxResponseBytes);
    const { text } = parseFields(await request.awaiting(() => response.text())) ?? {};
    if (typeof text !== 'string') throw new ProviderError(endpoint.id, 'protocol', 'the response has no text');
    return text.trim();
  }

  #stop(): void {
    this.#closed = true;
    this.#options.signal.removeEventListener('abort', this.#abort);
    this.#speech = [];
    this.#lookBack.clear();
    this.#request?.cancel();
    this.#stopWaiting?.();
  }
}
