import type { Timer } from '@va/core/adapter';
import type { VendorFields } from '../shared/json.ts';
import type { Recognizer, RecognizerHost } from '../shared/recognition/recognizer.ts';
import { readFault } from './fault.ts';
import { type AssemblyAiSettings, fittingKeyterms } from './options.ts';
import { readTurn, type Turn } from './turn.ts';

/** Maximum wait for the formatted version of a turn that has ended. */
const formatTimeoutMs = 500;
/** Maximum wait for the response to ForceEndpoint; after it the words so far are used. */
const forceTimeoutMs = 1_000;
/** Time without a message after which a turn is ended by ForceEndpoint. */
const turnTimeoutMs = 20_000;

/** Follows the turns of the service, which ends them by itself, or on `finalize` if the pipeline detects the ends. */
export class TurnRecognizer implements Recognizer {
  readonly judgesTurns: boolean;
  readonly #host: RecognizerHost;
  readonly #formats: boolean;
  readonly #urlOf: (keyterms: readonly string[]) => string;
  #keyterms: readonly string[];
  #text = '';
  #language: string | undefined;
  #isSpeaking = false;
  #turn = -1;
  /** Number of the last turn that has ended on this connection. */
  #endedTurn = -1;
  /** Number of `finalize` calls without their `finalized` yet. */
  #awaited = 0;
  #timeout: Timer | undefined;

  constructor(
    host: RecognizerHost,
    settings: AssemblyAiSettings,
    hints: readonly string[],
    urlOf: (keyterms: readonly string[]) => string,
  ) {
    this.#host = host;
    this.judgesTurns = settings.turn_detection !== 'pipeline';
    this.#formats = settings.format_turns ?? true;
    this.#urlOf = urlOf;
    this.#keyterms = this.#fitting(hints);
  }

  url(): string {
    return this.#urlOf(this.#keyterms);
  }

  isGreeting({ type }: VendorFields): boolean {
    return type === 'Begin';
  }

  faultOf(message: VendorFields) {
    return readFault(message);
  }

  opened(): void {
    this.#turn = -1;
    this.#endedTurn = -1;
    if (this.#awaited > 0) this.#force();
  }

  received(message: VendorFields): void {
    const turn = readTurn(message);
    if (turn === undefined || turn.order <= this.#endedTurn) return;
    this.#host.succeeded();
    this.#onTranscript(turn);
  }

  finalize(): void {
    if (this.judgesTurns) {
      this.#host.emit({ type: 'finalized' });
      return;
    }
    this.#awaited++;
    this.#force();
  }

  setHints(hints: readonly string[]): void {
    this.#keyterms = this.#fitting(hints);
    this.#host.send({ type: 'UpdateConfiguration', keyterms_prompt: this.#keyterms });
  }

  closingMessage(): VendorFields {
    return { type: 'Terminate' };
  }

  stop(): void {
    this.#timeout?.cancel();
  }

  #onTranscript({ order, text, isEnd, isFormatted, language }: Turn): void {
    // The formatted version of a turn may lack the language of the first one.
    this.#language = language ?? this.#language;
    if (text !== '') this.#start();
    this.#turn = order;
    if (text !== '' && text !== this.#text) {
      this.#text = text;
      if (!isEnd) this.#host.emit({ type: 'partial', text });
    }
    if (!isEnd) {
      if (this.#awaited === 0) this.#arm(turnTimeoutMs, () => this.#force());
    } else if (isFormatted || !this.#formats) this.#end();
    else this.#arm(formatTimeoutMs, () => this.#end());
  }

  #start(): void {
    if (this.#isSpeaking) return;
    this.#isSpeaking = true;
    if (this.judgesTurns) this.#host.emit({ type: 'turn-started' });
  }

  /** Requests the end of the turn. The wait for it is limited, because the service does not respond without words. */
  #force(): void {
    const isSent = this.#host.send({ type: 'ForceEndpoint' });
    // Without a connection, `opened()` requests the end on the next one, after the audio was sent again.
    if (!isSent && this.#awaited > 0) this.#timeout?.cancel();
    else this.#arm(forceTimeoutMs, () => this.#end());
  }

  #end(): void {
    this.#timeout?.cancel();
    const text = this.#text;
    const language = this.#language;
    const wasSpeaking = this.#isSpeaking;
    this.#text = '';
    this.#language = undefined;
    this.#isSpeaking = false;
    this.#endedTurn = this.#turn;
    this.#host.settled();
    if (text !== '') this.#host.emit({ type: 'final', text, ...(language !== undefined && { language }) });
    if (this.judgesTurns && wasSpeaking) this.#host.emit({ type: 'turn-ended' });
    // Every `finalize` gets its own `finalized`, because the pipeline counts them.
    for (; this.#awaited > 0; this.#awaited--) this.#host.emit({ type: 'finalized' });
  }

  #arm(timeoutMs: number, run: () => void): void {
    this.#timeout?.cancel();
    this.#timeout = this.#host.clock.setTimer(timeoutMs, run);
  }

  #fitting(hints: readonly string[]): readonly string[] {
    const keyterms = fittingKeyterms(hints);
    const dropped = hints.length - keyterms.length;
    if (dropped > 0) this.#host.logger.warn({ provider: this.#host.id, dropped }, 'dropped key terms beyond the limit');
    return keyterms;
  }
}
