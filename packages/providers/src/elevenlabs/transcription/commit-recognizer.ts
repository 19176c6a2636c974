import type { Timer } from '@va/core/adapter';
import { type FaultTable, faultIn } from '../../shared/faults/fault-table.ts';
import type { ServiceFault } from '../../shared/faults/service-fault.ts';
import type { VendorFields } from '../../shared/json.ts';
import type { Recognizer, RecognizerHost } from '../../shared/recognition/recognizer.ts';
import { fittingKeyterms } from './options.ts';

/** Maximum wait for the response to a commit; after it the last partial is used as final. */
const commitTimeoutMs = 1_000;

/** Maximum wait for the language of committed words, which is sent after them. */
const languageTimeoutMs = 300;

/** Faults by the type of the service's message. `commit_throttled` is no fault: there is too little audio for words. */
const faults: FaultTable = {
  auth_error: 'auth',
  unaccepted_terms: 'auth',
  quota_exceeded: 'quota',
  input_error: 'invalid_request',
  invalid_request: 'invalid_request',
  chunk_size_exceeded: 'invalid_request',
  error: 'unavailable',
  rate_limited: 'unavailable',
  queue_overflow: 'unavailable',
  resource_exhausted: 'unavailable',
  transcriber_error: 'unavailable',
  session_time_limit_exceeded: 'connection',
  insufficient_audio_activity: 'connection',
};
/** Message types that end a session which worked: they reset the count of connection attempts. */
const normalEnds = ['session_time_limit_exceeded', 'insufficient_audio_activity'];

interface CommitRecognizerOptions {
  readonly sampleRateHz: number;
  readonly hints: readonly string[];
  /** True if the service was asked for the language of committed words. */
  readonly detectsLanguage: boolean;
  urlOf(keyterms: readonly string[]): string;
}

/** Commits the audio when the pipeline has detected the end of a turn. */
export class CommitRecognizer implements Recognizer {
  readonly judgesTurns = false;
  readonly #host: RecognizerHost;
  readonly #sampleRateHz: number;
  readonly #detectsLanguage: boolean;
  readonly #urlOf: (keyterms: readonly string[]) => string;
  #keyterms: readonly string[];
  #partial = '';
  /** Number of `finalize` calls without their `finalized` yet. */
  #awaited = 0;
  #timeout: Timer | undefined;
  /** Committed words whose language is awaited. */
  #committed: string | undefined;
  #languageTimeout: Timer | undefined;

  constructor(host: RecognizerHost, { sampleRateHz, hints, detectsLanguage, urlOf }: CommitRecognizerOptions) {
    this.#host = host;
    this.#sampleRateHz = sampleRateHz;
    this.#detectsLanguage = detectsLanguage;
    this.#urlOf = urlOf;
    this.#keyterms = this.#fitting(hints);
  }

  url(): string {
    return this.#urlOf(this.#keyterms);
  }

  isGreeting(message: VendorFields): boolean {
    return message.message_type === 'session_started';
  }

  faultOf({ message_type: type, error }: VendorFields): ServiceFault | undefined {
    const fault = faultIn(faults, type);
    if (fault === undefined) return undefined;
    if (normalEnds.includes(String(type))) this.#host.succeeded();
    return { fault, message: typeof error === 'string' ? error : String(type) };
  }

  audio(chunk: Uint8Array): VendorFields {
    return this.#chunk(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('base64'), false);
  }

  opened(): void {
    this.#release();
    if (this.#awaited > 0) this.#commit();
  }

  received({ message_type: type, text, language_code: language }: VendorFields): void {
    if (type === 'commit_throttled') {
      this.#release();
      this.#settle(this.#partial, this.#awaited);
      return;
    }
    if (typeof text !== 'string') return;
    if (type === 'partial_transcript') this.#onTranscript(text);
    else if (type === 'committed_transcript') {
      this.#host.succeeded();
      this.#hold(text);
    } else if (type === 'committed_transcript_with_timestamps') {
      this.#release(typeof language === 'string' && language !== '' ? language : undefined);
    }
  }

  finalize(): void {
    this.#awaited++;
    this.#commit();
  }

  /** Replaces the key terms on the next connection: the service accepts them only when a connection is opened. */
  setHints(hints: readonly string[]): void {
    this.#keyterms = this.#fitting(hints);
  }

  stop(): void {
    this.#timeout?.cancel();
    this.#languageTimeout?.cancel();
  }

  #onTranscript(text: string): void {
    this.#host.succeeded();
    if (text === '' || text === this.#partial) return;
    this.#partial = text;
    this.#host.emit({ type: 'partial', text });
  }

  #hold(text: string): void {
    this.#release();
    this.#committed = text;
    if (!this.#detectsLanguage || text === '') this.#release();
    else this.#languageTimeout = this.#host.clock.setTimer(languageTimeoutMs, () => this.#release());
  }

  /** Reports the committed words, if there are any, with their language if it is known. */
  #release(language?: string): void {
    const text = this.#committed;
    if (text === undefined) return;
    this.#committed = undefined;
    this.#languageTimeout?.cancel();
    this.#settle(text, Math.min(1, this.#awaited), language);
  }

  #commit(): void {
    this.#timeout?.cancel();
    // Without a connection, `opened()` commits on the next one, after the audio was sent again.
    if (!this.#host.send(this.#chunk('', true))) return;
    this.#timeout = this.#host.clock.setTimer(commitTimeoutMs, () => {
      this.#release();
      this.#settle(this.#partial, this.#awaited);
    });
  }

  /** Emits the words as final, and a `finalized` for each answered `finalize`, because the pipeline counts them. */
  #settle(text: string, answers: number, language?: string): void {
    this.#partial = '';
    this.#host.settled();
    if (text !== '') this.#host.emit({ type: 'final', text, ...(language !== undefined && { language }) });
    for (let answer = 0; answer < answers; answer++) this.#host.emit({ type: 'finalized' });
    this.#awaited -= answers;
    if (this.#awaited === 0) this.#timeout?.cancel();
  }

  #chunk(audio_base_64: string, commit: boolean): VendorFields {
    return { message_type: 'input_audio_chunk', audio_base_64, commit, sample_rate: this.#sampleRateHz };
  }

  #fitting(hints: readonly string[]): readonly string[] {
    const keyterms = fittingKeyterms(hints);
    const dropped = hints.length - keyterms.length;
    if (dropped > 0) this.#host.logger.warn({ provider: this.#host.id, dropped }, 'dropped key terms beyond the limit');
    return keyterms;
  }
}
