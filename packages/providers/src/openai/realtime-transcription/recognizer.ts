import type { Timer } from '@va/core/adapter';
import { type ReportedError, readReportedError } from '../../realtime/fault.ts';
import type { ServiceFault } from '../../shared/faults/service-fault.ts';
import type { VendorFields } from '../../shared/json.ts';
import type { Recognizer, RecognizerHost } from '../../shared/recognition/recognizer.ts';
import { CommittedParts, type SettledPart } from './committed-parts.ts';

/**
 * Time limit for the final words of a commit, after which the words so far are used. Models without streaming need most
 * of it.
 */
const commitTimeoutMs = 3_000;

/** Returns the `session` field of a `session.update`, which is the first message and changes the key terms later. */
type SessionOf = (hints: readonly string[]) => VendorFields;

/** Commits the audio when the pipeline has detected the end of a turn. */
export class RealtimeRecognizer implements Recognizer {
  readonly judgesTurns = false;
  readonly #host: RecognizerHost;
  readonly #url: string;
  readonly #sessionOf: SessionOf;
  readonly #parts = new CommittedParts();
  #hints: readonly string[];
  #isOpen = false;
  #partial = '';
  #timeout: Timer | undefined;

  constructor(host: RecognizerHost, url: string, hints: readonly string[], sessionOf: SessionOf) {
    this.#host = host;
    this.#url = url;
    this.#hints = hints;
    this.#sessionOf = sessionOf;
  }

  url(): string {
    this.#isOpen = false;
    return this.#url;
  }

  openingMessage(): VendorFields {
    return { type: 'session.update', session: this.#sessionOf(this.#hints) };
  }

  isGreeting({ type }: VendorFields): boolean {
    return type === 'session.updated';
  }

  /**
   * Returns the end of the session, errors of authentication and quota, and errors before the session is accepted.
   * Other errors are logged.
   */
  faultOf({ type, error }: VendorFields): ServiceFault | undefined {
    const isFailure = type === 'conversation.item.input_audio_transcription.failed';
    if (type !== 'error' && !isFailure) return undefined;
    const reported = readReportedError(error);
    const { fault, code, message } = reported;
    const isEnd = code === 'session_expired';
    if (isEnd) this.#host.succeeded();
    if (isEnd || fault === 'auth' || fault === 'quota' || !this.#isOpen) return { fault, message };
    if (!isFailure) this.#onReportedError(reported);
    return undefined;
  }

  audio(chunk: Uint8Array): VendorFields {
    const audio = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('base64');
    return { type: 'input_audio_buffer.append', audio };
  }

  opened(): void {
    this.#isOpen = true;
    this.#partial = '';
    const answers = this.#parts.reset();
    if (answers > 0) this.#commit(answers);
  }

  received({ type, item_id: itemId, delta, transcript, error }: VendorFields): void {
    if (typeof itemId !== 'string') return;
    switch (type) {
      case 'input_audio_buffer.committed':
        this.#parts.committed(itemId);
        return;
      case 'conversation.item.input_audio_transcription.delta':
        if (typeof delta === 'string') this.#onTranscript(itemId, delta);
        return;
      case 'conversation.item.input_audio_transcription.completed':
        if (typeof transcript !== 'string') return;
        this.#host.succeeded();
        this.#settle(this.#parts.complete(itemId, transcript.trim()));
        return;
      case 'conversation.item.input_audio_transcription.failed':
        this.#warn({ message: readReportedError(error).message }, 'failed to transcribe');
        this.#settle(this.#parts.complete(itemId));
    }
  }

  finalize(): void {
    this.#commit(1);
  }

  setHints(hints: readonly string[]): void {
    this.#hints = hints;
    this.#host.send(this.openingMessage());
  }

  stop(): void {
    this.#timeout?.cancel();
  }

  #onTranscript(itemId: string, delta: string): void {
    this.#host.succeeded();
    const text = this.#parts.addWords(itemId, delta)?.trim();
    if (text === undefined || text === '' || text === this.#partial) return;
    this.#partial = text;
    this.#host.emit({ type: 'partial', text });
  }

  #commit(answers: number): void {
    const event_id = this.#parts.add(answers);
    // Without a connection, `opened()` commits on the next one, after the audio was sent again.
    if (!this.#host.send({ type: 'input_audio_buffer.commit', event_id })) return;
    this.#timeout?.cancel();
    this.#timeout = this.#host.clock.setTimer(commitTimeoutMs, () => this.#settle(this.#parts.giveUp()));
  }

  #onReportedError({ code, message, eventId }: ReportedError): void {
    // Less than 100 ms of audio: there is nothing to transcribe.
    if (code === 'input_audio_buffer_commit_empty') this.#settle(this.#parts.refuse(eventId));
    else this.#warn({ code, message }, 'provider returned an error');
  }

  #warn({ code, message }: { readonly code?: string | undefined; readonly message: string }, event: string): void {
    this.#host.logger.warn({ provider: this.#host.id, code, message: this.#host.redact(message) }, event);
  }

  #settle(parts: readonly SettledPart[]): void {
    if (parts.length === 0) return;
    this.#partial = '';
    this.#host.settled();
    for (const { text, answers } of parts) {
      if (text !== '') this.#host.emit({ type: 'final', text });
      // Every `finalize` gets its own `finalized`, because the pipeline counts them.
      for (let answer = 0; answer < answers; answer += 1) this.#host.emit({ type: 'finalized' });
    }
    if (this.#parts.isEmpty) this.#timeout?.cancel();
  }
}
