import type { Timer } from '@va/core/adapter';
import type { ServiceFault } from '../../shared/faults/service-fault.ts';
import type { VendorFields } from '../../shared/json.ts';
import type { Recognizer, RecognizerHost } from '../../shared/recognition/recognizer.ts';
import { readFault } from '../fault.ts';

/** Maximum wait for the response to `finalize`; after it the words so far are used. */
const finalizeTimeoutMs = 1_000;
/** Length of a segment's words, in characters, beyond which they are final without a `finalize` of the pipeline. */
const maxSegmentCharacters = 4_000;

/** Asks for the words of the audio when the pipeline has detected the end of a turn. */
export class FinalizeRecognizer implements Recognizer {
  readonly judgesTurns = false;
  readonly #host: RecognizerHost;
  readonly #urlOf: (hints: readonly string[]) => string;
  #hints: readonly string[];
  /** Final words of the segment. The service may split a word between two messages. */
  #text = '';
  #partial = '';
  /** Number of `finalize` calls without their `finalized` yet. */
  #awaited = 0;
  #timeout: Timer | undefined;

  constructor(host: RecognizerHost, hints: readonly string[], urlOf: (hints: readonly string[]) => string) {
    this.#host = host;
    this.#hints = hints;
    this.#urlOf = urlOf;
  }

  url(): string {
    return this.#urlOf(this.#hints);
  }

  faultOf(message: VendorFields): ServiceFault | undefined {
    return readFault(message);
  }

  /** Drops the words of the segment, because its audio was sent again and will be recognized again. */
  opened(): void {
    this.#text = '';
    if (this.#awaited > 0) this.#request();
  }

  received({ type, text, is_final: isFinal }: VendorFields): void {
    if (type === 'flush_done') {
      this.#host.succeeded();
      this.#settle(Math.min(1, this.#awaited));
    } else if (type === 'transcript' && typeof text === 'string') {
      this.#onTranscript(text, isFinal === true);
    }
  }

  finalize(): void {
    this.#awaited += 1;
    this.#request();
  }

  /** Replaces the key terms on the next connection: the service accepts them only when a connection is opened. */
  setHints(hints: readonly string[]): void {
    this.#hints = hints;
  }

  closingMessage(): string {
    return 'close';
  }

  stop(): void {
    this.#timeout?.cancel();
  }

  #onTranscript(text: string, isFinal: boolean): void {
    this.#host.succeeded();
    const whole = this.#text + text;
    if (isFinal) this.#text = whole;
    const shown = whole.trim();
    if (shown !== '' && shown !== this.#partial) {
      this.#partial = shown;
      this.#host.emit({ type: 'partial', text: shown });
    }
    if (this.#text.length > maxSegmentCharacters) this.#settle(0);
  }

  #request(): void {
    // Without a connection, `opened()` asks on the next one, after the audio was sent again.
    if (!this.#host.send('finalize')) return;
    this.#timeout?.cancel();
    this.#timeout = this.#host.clock.setTimer(finalizeTimeoutMs, () => {
      this.#text = this.#partial;
      this.#settle(this.#awaited);
    });
  }

  /** Emits the words as final, and a `finalized` for each answered `finalize`, because the pipeline counts them. */
  #settle(answers: number): void {
    const text = this.#text.trim();
    this.#text = '';
    this.#partial = '';
    this.#host.settled();
    if (text !== '') this.#host.emit({ type: 'final', text });
    for (let answer = 0; answer < answers; answer += 1) this.#host.emit({ type: 'finalized' });
    this.#awaited -= answers;
    if (this.#awaited === 0) this.#timeout?.cancel();
  }
}
