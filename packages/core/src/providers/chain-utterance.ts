import { EventQueue } from '../async/event-queue.ts';
import type { TtsConfig } from '../domain/agents/agent.ts';
import { ProviderError, toError } from '../errors.ts';
import type { Timer } from '../ports/clock.ts';
import type { TextToSpeech, TtsEvent, TtsSession, TtsUtterance } from '../ports/providers/text-to-speech.ts';
import { type Candidate, type ChainDependencies, letGo, timeoutOf, tooLate } from './chain.ts';
import type { Link } from './link.ts';

type SynthesizerCandidate = Candidate<TextToSpeech, TtsConfig>;

/** The chain that speaks an utterance. */
export interface UtteranceChain {
  readonly deps: ChainDependencies;
  /** The links to try, starting with the one that spoke last. */
  candidates(): Iterator<SynthesizerCandidate, void, undefined>;
  sessionOf(link: Link<TextToSpeech, TtsConfig>): TtsSession;
  /** Called when a link has failed: later utterances are spoken by the next one. */
  moveOn(link: Link<TextToSpeech, TtsConfig>, thrown: unknown): void;
}

/** The utterance, as one link synthesizes it. */
interface Spoken extends SynthesizerCandidate {
  readonly utterance: TtsUtterance;
  /** Word timestamps held back until the first audio, because another link may still have to take over. */
  words: TtsEvent[];
  hasAudio: boolean;
  deadline: Timer | null;
}

/** One utterance, spoken by the first link of a chain that returns audio for it. */
export class ChainUtterance implements TtsUtterance {
  readonly #chain: UtteranceChain;
  readonly #candidates: Iterator<SynthesizerCandidate, void, undefined>;
  readonly #events = new EventQueue<TtsEvent>();
  readonly #texts: string[] = [];
  #spoken: Spoken | null = null;
  #hasEnded = false;

  constructor(chain: UtteranceChain) {
    this.#chain = chain;
    this.#candidates = chain.candidates();
    this.#openNext(null);
  }

  push(text: string): void {
    this.#texts.push(text);
    this.#spoken?.utterance.push(text);
    if (this.#spoken !== null) this.#watch(this.#spoken);
  }

  end(): void {
    this.#hasEnded = true;
    this.#spoken?.utterance.end();
  }

  cancel(): void {
    const spoken = this.#spoken;
    this.#spoken = null;
    this.#events.discard();
    if (spoken === null) return;
    spoken.deadline?.cancel();
    if (spoken.hasAudio) spoken.attempt.succeeded();
    else spoken.attempt.abandoned();
    this.#letGo(spoken);
  }

  [Symbol.asyncIterator](): AsyncIterator<TtsEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  #openNext(failure: unknown): void {
    let last = failure;
    for (let next = this.#candidates.next(); next.done !== true; next = this.#candidates.next()) {
      const { link, attempt } = next.value;
      try {
        const utterance = this.#chain.sessionOf(link).speak();
        this.#begin({ link, attempt, utterance, words: [], hasAudio: false, deadline: null });
        return;
      } catch (thrown) {
        last = thrown;
        attempt.failed(thrown);
        this.#chain.moveOn(link, thrown);
      }
    }
    this.#events.fail(toError(last));
  }

  #begin(spoken: Spoken): void {
    this.#spoken = spoken;
    for (const text of this.#texts) spoken.utterance.push(text);
    if (this.#texts.length > 0) this.#watch(spoken);
    if (this.#hasEnded) spoken.utterance.end();
    void this.#read(spoken);
  }

  /** Starts the timeout for the first audio of a link, which counts from its first text. */
  #watch(spoken: Spoken): void {
    if (spoken.hasAudio || spoken.deadline !== null) return;
    const { deps } = this.#chain;
    spoken.deadline = deps.clock.setTimer(timeoutOf(deps), () => {
      this.#fail(spoken, tooLate(spoken.link.provider, 'no audio came', deps));
    });
  }

  async #read(spoken: Spoken): Promise<void> {
    try {
      for await (const event of spoken.utterance) {
        if (this.#spoken !== spoken) return;
        this.#pass(spoken, event);
      }
      this.#complete(spoken);
    } catch (thrown) {
      this.#fail(spoken, thrown);
    }
  }

  #pass(spoken: Spoken, event: TtsEvent): void {
    if (event.type === 'words' && !spoken.hasAudio) {
      spoken.words.push(event);
      return;
    }
    if (event.type === 'audio' && !spoken.hasAudio) {
      if (event.audio.length === 0) return;
      spoken.hasAudio = true;
      spoken.deadline?.cancel();
      for (const words of spoken.words) this.#events.push(words);
    }
    this.#events.push(event);
  }

  #complete(spoken: Spoken): void {
    if (this.#spoken !== spoken) return;
    if (!spoken.hasAudio && this.#texts.some((text) => text.trim() !== '')) {
      throw new ProviderError(spoken.link.provider.id, 'protocol', 'no audio came of the text');
    }
    this.#spoken = null;
    spoken.deadline?.cancel();
    if (spoken.hasAudio) spoken.attempt.succeeded();
    else spoken.attempt.abandoned();
    this.#events.end();
  }

  #fail(spoken: Spoken, thrown: unknown): void {
    if (this.#spoken !== spoken) return;
    this.#spoken = null;
    spoken.deadline?.cancel();
    spoken.attempt.failed(thrown);
    this.#chain.moveOn(spoken.link, thrown);
    this.#letGo(spoken);
    if (spoken.hasAudio) this.#events.fail(repeatable(spoken.link.provider, thrown));
    else this.#openNext(thrown);
  }

  #letGo({ link, utterance }: Spoken): void {
    letGo(link.provider, () => utterance.cancel(), this.#chain.deps);
  }
}

/** Returns the failure as a retryable error, because the next link can speak the rest after any failure. */
function repeatable(provider: TextToSpeech, thrown: unknown): Error {
  if (thrown instanceof ProviderError && thrown.retryable) return thrown;
  return new ProviderError(provider.id, 'unavailable', toError(thrown).message, { cause: thrown });
}
