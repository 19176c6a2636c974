import type { LegEncoding } from '@va/media';
import { meteredSession } from '../costs/metered-session.ts';
import type { TtsConfig } from '../domain/agents/agent.ts';
import { toError } from '../errors.ts';
import type { TextToSpeech, TtsSession } from '../ports/providers/text-to-speech.ts';
import {
  type Candidate,
  type ChainDependencies,
  candidates,
  circuitOf,
  letGo,
  noteFailure,
  ownerOf,
  sourceOf,
} from './chain.ts';
import { ChainUtterance, type UtteranceChain } from './chain-utterance.ts';
import { type FixedSpeechCache, type Synthesizer, voiceName, withFixedSpeech } from './fixed-speech.ts';
import { openLegSession } from './leg-session.ts';
import type { Link, Links } from './link.ts';

export interface SynthesizerChainDependencies extends ChainDependencies {
  /** Encoding of the leg, and thus of the audio of every utterance. */
  readonly encoding: LegEncoding;
  /** Cache of fixed sentences; without it they are synthesized like others. */
  readonly fixedSpeech?: FixedSpeechCache | undefined;
  /** BCP 47 language tag of the conversation. */
  readonly language?: string | undefined;
  /** Closes the session and all its utterances. */
  readonly signal: AbortSignal;
}

type SynthesizerLink = Link<TextToSpeech, TtsConfig>;

/**
 * Combines synthesizers to one session. If a link fails or times out before any audio of an utterance, the next link
 * speaks the utterance. Later failures are passed on as retryable. After any failure, the next link speaks all further
 * utterances of the call, so that the voice does not alternate.
 * @throws errors of the last link if none can be opened
 */
export function synthesizerChain(
  links: Links<TextToSpeech, TtsConfig>,
  deps: SynthesizerChainDependencies,
): Synthesizer {
  const chain = new SynthesizerChain(links, deps);
  chain.open();
  const source = { session: chain.canMoveOn ? chain : chain.sessionOf(links[0]), voice: () => chain.voice() };
  return deps.fixedSpeech === undefined ? source.session : withFixedSpeech(source, deps.fixedSpeech);
}

class SynthesizerChain implements TtsSession, UtteranceChain {
  readonly deps: SynthesizerChainDependencies;
  readonly #links: Links<TextToSpeech, TtsConfig>;
  readonly #sessions = new Map<SynthesizerLink, TtsSession>();
  #current = 0;

  constructor(links: Links<TextToSpeech, TtsConfig>, deps: SynthesizerChainDependencies) {
    this.#links = links;
    this.deps = deps;
  }

  get canMoveOn(): boolean {
    return this.#links.length > 1;
  }

  /** Opens the session of the first link that can be opened, because the call needs it shortly. */
  open(): void {
    let failure: unknown;
    for (const link of this.#links) {
      try {
        this.sessionOf(link);
        return;
      } catch (thrown) {
        failure = thrown;
        if (this.canMoveOn) this.moveOn(link, thrown);
      }
    }
    throw failure;
  }

  speak(): ChainUtterance {
    return new ChainUtterance(this);
  }

  close(): void {
    for (const [{ provider }, session] of this.#sessions) letGo(provider, () => session.close(), this.deps);
  }

  /** Returns the cache key of the voice of the next utterance. */
  voice(): string {
    const turned = [...this.#links.slice(this.#current), ...this.#links.slice(0, this.#current)];
    const link = turned.find((each) => !circuitOf(each, this.deps).isOpen) ?? turned[0] ?? this.#links[0];
    return voiceName(link.provider.id, link.config, this.deps, ownerOf(link.provider, this.deps));
  }

  *candidates(): Generator<Candidate<TextToSpeech, TtsConfig>, void, undefined> {
    for (const candidate of candidates(this.#links, this.#current, this.deps)) {
      this.#current = this.#links.indexOf(candidate.link);
      yield candidate;
    }
  }

  sessionOf(link: SynthesizerLink): TtsSession {
    const { signal, clock, logger, keys, encoding, language } = this.deps;
    const open = this.#sessions.get(link);
    if (open !== undefined) return open;
    const session = openLegSession(link, encoding, {
      ...keys.of(link.provider),
      ...(language !== undefined && { language }),
      signal,
      clock,
      logger,
    });
    const { meter } = this.deps;
    const counted =
      meter === undefined ? session : meteredSession(session, encoding, { meter, source: sourceOf(link, this.deps) });
    this.#sessions.set(link, counted);
    return counted;
  }

  moveOn(link: SynthesizerLink, thrown: unknown): void {
    noteFailure(link.provider, toError(thrown), this.deps);
    if (this.#links[this.#current] === link) this.#current = (this.#current + 1) % this.#links.length;
  }
}
