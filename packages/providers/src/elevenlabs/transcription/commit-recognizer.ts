import type { ProviderFault } from '@va/core';
import type { Timer } from '@va/core/adapter';
import type { Fields } from '../../shared/json.ts';
import type { Recognizer, RecognizerHost } from '../../shared/recognition/recognizer.ts';
import type { ServiceFault } from '../../shared/service-fault.ts';
import { fittingKeyterms } from './options.ts';

/** Maximum wait for the response to a commit; after it the last partial is used as final. */
const commitTimeoutMs = 1_000;

/** Error messages of the service by their type. `commit_throttled` is no error: there is too little audio for words. */
const faults: Readonly<Record<string, ProviderFault>> = {
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
/** Ends of a session that worked: they do not count as attempts. */
const normalEnds = ['session_time_limit_exceeded', 'insufficient_audio_activity'];

/** Commits the audio when the pipeline has detected the end of a turn. */
export class CommitRecognizer implements Recognizer {
  readonly judgesTurns = false;
  readonly #host: RecognizerHost;
  readonly #sampleRateHz: number;
  readonly #urlOf: (keyterms: readonly string[]) => string;
  #keyterms: readonly string[];
  #partial = '';
  /** Number of `finalize` calls without their `finalized` yet. */
  #awaited = 0;
  #timeout: Timer | undefined;

  constructor(
    host: RecognizerHost,
    sampleRateHz: number,
    hints: readonly string[],
    urlOf: (keyterms: readonly string[]) => string,
  ) {
    this.#host = host;
    this.#sampleRateHz = sampleRateHz;
    this.#urlOf = urlOf;
    this.#keyterms = this.#fitting(hints);
  }

  url(): string {
    return this.#urlOf(this.#keyterms);
  }

  isGreeting(message: Fields): boolean {
    return message.message_type === 'session_started';
  }

  faultOf({ message_type: type, error }: Fields): ServiceFault | undefined {
    const fault = typeof type === 'string' ? faults[type] : undefined;
    if (fault === undefined) return undefined;
    if (normalEnds.includes(String(type))) this.#host.succeeded();
    return { fault, message: typeof error === 'string' ? error : String(type) };
  }

  audio(chunk: Uint8Array): Fields {
    return this.#chunk(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('base64'), false);
  }

  opened(): void {
    if (this.#awaited > 0) this.#commit();
  }

  received({ message_type: type, text }: Fields): void {
    if (type === 'commit_throttled') {
      this.#settle(this.#partial, this.#awaited);
      return;
    }
    if (typeof text !== 'string') return;
    if (type === 'partial_transcript') this.#heard(text);
    else if (type === 'committed_transcript') {
      this.#host.succeeded();
      this.#settle(text, Math.min(1, this.#awaited));
    }
  }

  finalize(): void {
    this.#awaited++;
    this.#commit();
  }

  /** The service takes key terms with the connection only. */
  setHints(hints: readonly string[]): void {
    this.#keyterms = this.#fitting(hints);
  }

  stop(): void {
    this.#timeout?.cancel();
  }

  #heard(text: string): void {
    this.#host.succeeded();
    if (text === '' || text === this.#partial) return;
    this.#partial = text;
    this.#host.emit({ type: 'partial', text });
  }

  #commit(): void {
    this.#timeout?.cancel();
    // Without a connection the next one is asked, once it has the audio.
    if (!this.#host.send(this.#chunk('', true))) return;
    this.#timeout = this.#host.clock.setTimer(commitTimeoutMs, () => this.#settle(this.#partial, this.#awaited));
  }

  /** Every `finalize` gets its own response, because the pipeline counts them. */
  #settle(text: string, answers: number): void {
    this.#partial = '';
    this.#host.settled();
    if (text !== '') this.#host.emit({ type: 'final', text });
    for (let answer = 0; answer < answers; answer++) this.#host.emit({ type: 'finalized' });
    this.#awaited -= answers;
    if (this.#awaited === 0) this.#timeout?.cancel();
  }

  #chunk(audio_base_64: string, commit: boolean): Fields {
    return { message_type: 'input_audio_chunk', audio_base_64, commit, sample_rate: this.#sampleRateHz };
  }

  #fitting(hints: readonly string[]): readonly string[] {
    const keyterms = fittingKeyterms(hints);
    const dropped = hints.length - keyterms.length;
    if (dropped > 0) this.#host.logger.warn({ provider: this.#host.id, dropped }, 'dropped key terms beyond the limit');
    return keyterms;
  }
}
