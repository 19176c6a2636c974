import { chooseFormat, formatOf, frameMs, fromLeg, type LegEncoding, legAudio } from '@va/media';
import { EventQueue } from '../async/event-queue.ts';
import type { SttConfig } from '../domain/agents/agent.ts';
import { ProviderError, toError } from '../errors.ts';
import type { Timer } from '../ports/clock.ts';
import type { SpeechToText, SttEvent, SttStream } from '../ports/providers/speech-to-text.ts';
import {
  type Candidate,
  type ChainDependencies,
  candidates,
  circuitOf,
  letGo,
  noteFailure,
  sourceOf,
} from './chain.ts';
import type { Link, Links } from './link.ts';
import { UnsettledFrames } from './unsettled-frames.ts';

export interface RecognizerChainDependencies extends ChainDependencies {
  /** Encoding of the leg. */
  readonly encoding: LegEncoding;
  readonly hints: readonly string[];
  /** BCP 47 tags of the languages that the caller may speak; absent if there is only one. */
  readonly languages?: readonly string[] | undefined;
  /** Ends the stream at once, without further events. */
  readonly signal: AbortSignal;
}

type RecognizerLink = Link<SpeechToText, SttConfig>;

/** Time without an answer to `finalize` after which a recognizer counts as dead. */
const answerTimeoutMs = 10_000;
/** Number of consecutive timeouts after which a single recognizer is not reconnected again. */
const mostDeaths = 3;
/** Speech without a word after which a recognizer may be dead: it is reconnected, or the next one is tried. */
const wordlessFrames = 15_000 / frameMs;

/**
 * Combines recognizers to one stream: if one fails or does not respond, the next takes over and gets the audio without
 * final words again, up to two seconds. The stream fails when all have failed in a row. A single recognizer is
 * reconnected if it does not respond; if it fails, so does the stream.
 * @throws errors of the last link if none can be opened
 */
export function recognizerChain(links: Links<SpeechToText, SttConfig>, deps: RecognizerChainDependencies): SttStream {
  return new RecognizerChain(links, deps);
}

/** A recognizer that takes audio in the leg's encoding. */
interface OpenRecognizer {
  readonly stream: SttStream;
  readonly onFrame: (payload: Uint8Array) => void;
}

function open(link: RecognizerLink, deps: RecognizerChainDependencies): OpenRecognizer {
  const { provider, config } = link;
  const { encoding, hints, languages, signal, clock, logger, keys, meter } = deps;
  const format = chooseFormat(provider.formats, formatOf(encoding));
  const stream = provider.open({
    ...keys.of(provider),
    ...(languages !== undefined && { languages }),
    ...{ config, format, hints, signal, clock, logger },
  });
  const convert = fromLeg(encoding, format);
  const { bytesPerMs } = legAudio[encoding];
  const streamed = meter?.counter(sourceOf(link, deps), 'stt_seconds');
  return {
    stream,
    onFrame: (payload) => {
      if (streamed !== undefined) streamed.amount += payload.length / bytesPerMs;
      stream.send(convert(payload));
    },
  };
}

/** The current recognizer. */
interface Listening extends OpenRecognizer, Candidate<SpeechToText, SttConfig> {
  /** True once the recognizer has emitted an event. */
  hasAnswered: boolean;
}

class RecognizerChain implements SttStream {
  readonly judgesTurns: boolean;
  readonly #links: Links<SpeechToText, SttConfig>;
  readonly #deps: RecognizerChainDependencies;
  readonly #events = new EventQueue<SttEvent>();
  readonly #unsettled = new UnsettledFrames();
  #hints: readonly string[];
  #candidates: Iterator<Candidate<SpeechToText, SttConfig>, void, undefined>;
  #listening: Listening | null = null;
  #isSpeaking = false;
  /** Number of frames of speech since the last recognized word. */
  #wordless = 0;
  #answerTimeout: Timer | null = null;
  /** Number of consecutive timeouts of `finalize`. */
  #deaths = 0;

  constructor(links: Links<SpeechToText, SttConfig>, deps: RecognizerChainDependencies) {
    this.#links = links;
    this.#deps = deps;
    this.#hints = deps.hints;
    this.#candidates = candidates(links, 0, deps);
    const { listening, failure } = this.#openNext(null);
    if (listening === null) throw failure;
    this.judgesTurns = listening.stream.judgesTurns ?? false;
    deps.signal.addEventListener('abort', () => this.close(), { once: true });
    if (deps.signal.aborted) this.close();
  }

  /** Takes a frame in the leg's encoding. */
  send(payload: Uint8Array): void {
    if (this.#isSpeaking) this.#wordless += 1;
    // A single recognizer is only reconnected, and then does not need the silence before speech.
    if (this.#links.length > 1 || this.#isSpeaking || this.#unsettled.owed > 0) this.#unsettled.push(payload);
    this.#listening?.onFrame(payload);
  }

  speechStarted(): void {
    this.#isSpeaking = true;
    this.#listening?.stream.speechStarted();
    if (this.#judgesInItsPlace) this.#events.push({ type: 'turn-started' });
  }

  finalize(): void {
    this.#isSpeaking = false;
    this.#unsettled.finalize();
    this.#listening?.stream.finalize();
    this.#awaitAnswer();
  }

  setHints(hints: readonly string[]): void {
    this.#hints = hints;
    this.#listening?.stream.setHints?.(hints);
  }

  close(): void {
    const listening = this.#listening;
    this.#listening = null;
    this.#calm();
    this.#events.discard();
    if (listening === null) return;
    listening.attempt.abandoned();
    letGo(listening.link.provider, () => listening.stream.close(), this.#deps);
  }

  [Symbol.asyncIterator](): AsyncIterator<SttEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  /**
   * True if the call relies on turn detection by the recognizer, but the current one has none: the chain then derives
   * turn events from the pipeline's VAD.
   */
  get #judgesInItsPlace(): boolean {
    return this.judgesTurns && this.#listening !== null && this.#listening.stream.judgesTurns !== true;
  }

  #openNext(failure: unknown): { listening: Listening | null; failure: unknown } {
    let last = failure;
    for (let next = this.#candidates.next(); next.done !== true; next = this.#candidates.next()) {
      const candidate = next.value;
      try {
        const listening = {
          ...candidate,
          ...open(candidate.link, { ...this.#deps, hints: this.#hints }),
          hasAnswered: false,
        };
        this.#listening = listening;
        void this.#read(listening);
        return { listening, failure: null };
      } catch (thrown) {
        last = thrown;
        candidate.attempt.failed(thrown);
        noteFailure(candidate.link.provider, thrown, this.#deps);
      }
    }
    return { listening: null, failure: last };
  }

  async #read(listening: Listening): Promise<void> {
    const { provider } = listening.link;
    try {
      for await (const event of listening.stream) {
        if (this.#listening !== listening) return;
        listening.hasAnswered = true;
        listening.attempt.succeeded();
        this.#calm();
        this.#deaths = 0;
        this.#pass(event);
        if (this.#isDeaf(event)) this.#replace(listening, 'it found no word in a lot of speech');
      }
      this.#lost(listening, new ProviderError(provider.id, 'connection', 'the stream ended'));
    } catch (thrown) {
      this.#lost(listening, thrown);
    }
  }

  #pass(event: SttEvent): void {
    switch (event.type) {
      case 'partial':
        if (event.text.trim() !== '') this.#wordless = 0;
        break;
      case 'final':
        if (event.text.trim() !== '') this.#wordless = 0;
        this.#unsettled.settle();
        break;
      case 'finalized':
        this.#unsettled.finalized();
        break;
      default:
        if (!this.judgesTurns) return;
    }
    this.#events.push(event);
    if (event.type === 'finalized' && this.#judgesInItsPlace && !this.#isSpeaking) {
      this.#events.push({ type: 'turn-ended' });
    }
  }

  /**
   * Returns true if the recognizer found no words in much speech. Evaluated at `finalized` only, because some
   * recognizers emit nothing before.
   */
  #isDeaf({ type }: SttEvent): boolean {
    return type === 'finalized' && this.#wordless >= wordlessFrames;
  }

  #unanswered(): void {
    this.#answerTimeout = null;
    const listening = this.#listening;
    if (listening === null) return;
    const { provider } = listening.link;
    const dead = new ProviderError(provider.id, 'timeout', `no answer for ${answerTimeoutMs / 1_000} s`);
    this.#deaths += 1;
    if (this.#links.length === 1 && this.#deaths < mostDeaths) this.#replace(listening, dead.message);
    else this.#lost(listening, dead);
  }

  #awaitAnswer(): void {
    this.#answerTimeout ??= this.#deps.clock.setTimer(answerTimeoutMs, () => this.#unanswered());
  }

  #calm(): void {
    this.#answerTimeout?.cancel();
    this.#answerTimeout = null;
  }

  /** Replaces a recognizer. It may be right to find no words, so its circuit does not count this as a failure. */
  #replace(listening: Listening, why: string): void {
    const { link, attempt, stream } = listening;
    this.#listening = null;
    this.#calm();
    this.#wordless = 0;
    attempt.abandoned();
    this.#deps.logger.warn({ provider: link.provider.id, why }, 'a recognizer shows no sign of life and is replaced');
    letGo(link.provider, () => stream.close(), this.#deps);
    this.#startAfter(link);
    const next = this.#openNext(new ProviderError(link.provider.id, 'timeout', why));
    if (next.listening === null) this.#events.fail(toError(next.failure));
    else this.#catchUp(next.listening);
  }

  #lost(listening: Listening, thrown: unknown): void {
    if (this.#listening !== listening) return;
    this.#listening = null;
    this.#calm();
    const { link, attempt, hasAnswered, stream } = listening;
    if (hasAnswered) circuitOf(link, this.#deps).begin()?.failed(thrown);
    else attempt.failed(thrown);
    noteFailure(link.provider, thrown, this.#deps);
    letGo(link.provider, () => stream.close(), this.#deps);
    // A recognizer that has worked may fail later: then all others, and finally itself, are tried again.
    if (hasAnswered && this.#links.length > 1) this.#startAfter(link);
    const next = this.#openNext(thrown);
    if (next.listening === null) this.#events.fail(toError(next.failure));
    else this.#catchUp(next.listening);
  }

  #startAfter(link: RecognizerLink): void {
    this.#candidates = candidates(this.#links, (this.#links.indexOf(link) + 1) % this.#links.length, this.#deps);
  }

  /** Sends the audio without final words, and the unanswered `finalize` requests, to the recognizer that took over. */
  #catchUp({ stream, onFrame }: Listening): void {
    const { frames, owed } = this.#unsettled;
    if (this.#isSpeaking || owed > 0) stream.speechStarted();
    for (const payload of frames) onFrame(payload);
    for (let each = 0; each < owed; each++) stream.finalize();
    if (owed > 0) this.#awaitAnswer();
    if (this.#isSpeaking && owed > 0) stream.speechStarted();
  }
}
