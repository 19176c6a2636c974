import type { LlmConfig } from '../../domain/agents/agent.ts';
import { ProviderError, toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { LanguageModel } from '../../ports/providers/language-model.ts';
import type { Provider } from '../../ports/providers/provider.ts';
import type { SttEvent, SttStream } from '../../ports/providers/speech-to-text.ts';
import type { TtsEvent, TtsUtterance } from '../../ports/providers/text-to-speech.ts';
import type { Synthesizer } from '../../providers/fixed-speech.ts';
import type { ProviderWatch } from '../../providers/provider-watch.ts';
import { offeredTools } from '../model/tool-calls.ts';
import type { Effect, VoiceEffect } from '../state/effects.ts';
import type { CallTool } from '../state/tools/call-tool.ts';
import { PendingParts } from './pending-parts.ts';
import { PreparedSpeech } from './prepared-speech.ts';
import type { ConversationRunner, EffectHandler, EventInput, PlayoutControl } from './runner.ts';
import { RunningTools, type RunTool } from './running-tools.ts';

export interface PipelineOptions {
  readonly runner: ConversationRunner;
  readonly stt: SttStream;
  readonly llm: LanguageModel;
  /** The organization's own key, if it has one. */
  readonly llmKey: { readonly apiKey?: string; readonly orgId?: string };
  readonly llmConfig: LlmConfig;
  readonly tools: readonly CallTool[];
  /** Synthesizes in the phone's encoding. */
  readonly tts: Synthesizer;
  /** Returns the synthesizer of a language of the agent. */
  readonly ttsIn?: (language: string) => Synthesizer;
  readonly playout: PlayoutControl;
  /** Bytes of the leg's audio per millisecond. */
  readonly bytesPerMs: number;
  /** Sends silence to the recognizer instead of the caller's audio. */
  readonly muteCaller: (isMuted: boolean) => void;
  readonly runTool: RunTool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Observer of requests to the first provider of each chain; none by default. */
  readonly watched?: WatchedProviders | null;
}

type Watchable = Pick<Provider, 'kind' | 'id'>;

interface WatchedProviders {
  readonly watch: ProviderWatch;
  readonly recognizer: Watchable;
  readonly model: Watchable;
  readonly synthesizer: Watchable;
}

/** The cascade of recognizer, model and synthesizer of a conversation. */
export class Pipeline implements EffectHandler {
  readonly #options: PipelineOptions;
  readonly #pendingParts = new PendingParts();
  readonly #models = new Map<number, AbortController>();
  readonly #utterances = new Map<number, TtsUtterance>();
  readonly #tools: RunningTools;
  #prepared: PreparedSpeech | null = null;
  #tts: Synthesizer;
  /** Utterance that is open but has no text yet: its first text decides whether the prepared speech is used for it. */
  #undecided: number | null = null;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#tts = options.tts;
    this.#tools = new RunningTools(options);
    void this.#readRecognizer(options.stt);
    options.signal.addEventListener('abort', () => this.#letGo(), { once: true });
  }

  handle(effect: VoiceEffect): void {
    switch (effect.type) {
      case 'start-llm':
        void this.#readModel(effect);
        return;
      case 'cancel-llm':
        this.#models.get(effect.generation)?.abort();
        this.#models.delete(effect.generation);
        return;
      case 'prepare-speech':
        this.#prepareSpeech(effect.text);
        return;
      case 'drop-speech':
        this.#dropSpeech();
        return;
      case 'open-utterance':
        this.#options.playout.open(effect.utterance);
        if (this.#prepared === null || effect.fixed) this.#openUtterance(effect.utterance, effect.fixed);
        else this.#undecided = effect.utterance;
        return;
      case 'speak':
        this.#speak(effect.utterance, effect.text);
        return;
      case 'end-utterance':
        this.#utterances.get(effect.utterance)?.end();
        return;
      case 'cancel-utterance':
        if (this.#undecided === effect.utterance) this.#undecided = null;
        this.#cancel(this.#utterances.get(effect.utterance));
        this.#utterances.delete(effect.utterance);
        return;
      case 'finish-playout':
        this.#options.playout.finish(effect.utterance);
        return;
      case 'clear-playout':
        this.#options.playout.clear();
        return;
      case 'pause-playout':
        this.#options.playout.pause();
        return;
      case 'resume-playout':
        this.#options.playout.resume();
        return;
      case 'set-taken-over':
        this.#options.playout.setTakenOver(effect.isTakenOver);
        return;
      case 'set-hold':
        this.#options.playout.setHold(effect.isOnHold);
        return;
      case 'set-voice-level':
        this.#options.playout.setLevel(effect.db);
        return;
      case 'set-language':
        this.#setLanguage(effect.language);
        return;
      case 'stt-speech-started':
        this.#options.stt.speechStarted();
        return;
      case 'caller-muted':
        this.#options.muteCaller(effect.isMuted);
        return;
      case 'finalize-stt':
        this.#pendingParts.requested(effect.part, effect.awaited);
        this.#options.stt.finalize();
        return;
      case 'run-tool':
        this.#tools.run(effect);
        return;
      case 'cancel-tool':
        this.#tools.cancel(effect.callId);
        return;
      case 'model-told':
      case 'model-instructed':
      case 'tool-output':
      case 'cut-short':
        // Each request contains the whole conversation.
        return;
    }
  }

  /** Sets the voice of a language for later utterances. If it cannot be opened, the current one is kept. */
  #setLanguage(language: string): void {
    const { ttsIn, logger } = this.#options;
    try {
      this.#tts = ttsIn?.(language) ?? this.#tts;
    } catch (thrown) {
      logger.warn({ language, err: toError(thrown) }, 'failed to open the voice of a language');
    }
  }

  #dispatch(event: EventInput): void {
    if (!this.#options.signal.aborted) this.#options.runner.dispatch(event);
  }

  async #readRecognizer(stream: SttStream): Promise<void> {
    try {
      for await (const event of stream) {
        this.#dispatch(fromRecognizer(event, this.#pendingParts));
      }
      this.#dispatch({ type: 'stt-failed', message: 'The recognizer ended its stream.' });
    } catch (thrown) {
      this.#noteFailure('recognizer', 'speech-to-text failed', thrown);
      this.#dispatch({ type: 'stt-failed', message: toError(thrown).message });
    }
  }

  async #readModel({ generation, messages, withTools }: Extract<Effect, { type: 'start-llm' }>): Promise<void> {
    const { llm, llmKey, llmConfig, tools, clock, logger } = this.#options;
    const abort = new AbortController();
    this.#models.set(generation, abort);
    const request = this.#options.watched?.watch.begin(
      this.#options.watched.model,
      llmConfig.model ?? llm.defaultModel,
    );
    try {
      const reply = llm.stream({
        ...llmKey,
        config: llmConfig,
        messages,
        tools: withTools ? offeredTools(tools) : [],
        signal: abort.signal,
        clock,
        logger,
      });
      for await (const event of reply) {
        if (abort.signal.aborted) return;
        if (event.type === 'text') this.#dispatch({ type: 'llm-text', generation, text: event.text });
        else if (event.type === 'tool-call') this.#dispatch({ type: 'llm-tool-call', generation, call: event.call });
        else request?.used(event.usage);
      }
      if (!abort.signal.aborted) this.#dispatch({ type: 'llm-done', generation });
    } catch (thrown) {
      if (abort.signal.aborted) return;
      request?.failed(thrown);
      this.#noteFailure('model', 'language model failed', thrown);
      this.#dispatch({ type: 'llm-failed', generation, ...failure(thrown) });
    } finally {
      request?.ended();
      this.#models.delete(generation);
    }
  }

  #prepareSpeech(text: string): void {
    this.#dropSpeech();
    try {
      this.#prepared = new PreparedSpeech(this.#tts.speak(), text);
    } catch (thrown) {
      // The utterance is synthesized again when it is spoken, which fails too or succeeds.
      this.#options.logger.debug({ err: toError(thrown) }, 'a reply could not be synthesized ahead');
    }
  }

  #dropSpeech(): void {
    this.#cancel(this.#prepared?.utterance);
    this.#prepared = null;
  }

  /** Sends text to the synthesizer. An utterance that begins with the prepared text continues the prepared speech. */
  #speak(id: number, text: string): void {
    if (this.#undecided === id) {
      this.#undecided = null;
      if (this.#prepared?.text === text) {
        const { utterance, events } = this.#prepared;
        this.#prepared = null;
        this.#utterances.set(id, utterance);
        void this.#readUtterance(id, events);
        return;
      }
      this.#dropSpeech();
      this.#openUtterance(id, false);
    }
    this.#utterances.get(id)?.push(text);
  }

  #openUtterance(id: number, fixed: boolean): void {
    try {
      const utterance = this.#tts.speak({ fixed });
      this.#utterances.set(id, utterance);
      void this.#readUtterance(id, utterance);
    } catch (thrown) {
      this.#noteFailure('synthesizer', 'text-to-speech failed', thrown);
      this.#dispatch({ type: 'tts-failed', utterance: id, ...failure(thrown) });
    }
  }

  async #readUtterance(id: number, events: AsyncIterable<TtsEvent>): Promise<void> {
    const request = this.#options.watched?.watch.begin(this.#options.watched.synthesizer);
    try {
      for await (const event of events) {
        if (!this.#utterances.has(id)) return;
        if (event.type === 'words') {
          this.#dispatch({ type: 'tts-words', utterance: id, words: event.words });
          continue;
        }
        this.#options.playout.play(id, event.audio);
        this.#dispatch({ type: 'tts-audio', utterance: id, durationMs: event.audio.length / this.#options.bytesPerMs });
      }
      if (this.#utterances.delete(id)) this.#dispatch({ type: 'tts-done', utterance: id });
    } catch (thrown) {
      if (!this.#utterances.delete(id)) return;
      request?.failed(thrown);
      this.#noteFailure('synthesizer', 'text-to-speech failed', thrown);
      this.#dispatch({ type: 'tts-failed', utterance: id, ...failure(thrown) });
    } finally {
      request?.ended();
    }
  }

  /** Cancels all requests at the end of the call. Recognizer and synthesizer are closed by their owner. */
  #letGo(): void {
    for (const abort of this.#models.values()) abort.abort();
    this.#dropSpeech();
    for (const utterance of this.#utterances.values()) this.#cancel(utterance);
    this.#models.clear();
    this.#utterances.clear();
  }

  /**
   * Cancels an utterance without throwing: it is over even if the provider cannot stop it, and an exception in an abort
   * listener would end the process.
   */
  #cancel(utterance: TtsUtterance | undefined): void {
    try {
      utterance?.cancel();
    } catch (thrown) {
      this.#options.logger.warn({ err: toError(thrown) }, 'an utterance could not be cancelled');
    }
  }

  #noteFailure(who: 'recognizer' | 'model' | 'synthesizer', message: string, thrown: unknown): void {
    const { signal, logger, watched } = this.#options;
    if (signal.aborted) return;
    logger.warn({ err: toError(thrown) }, message);
    watched?.watch.failed(watched[who], thrown);
  }
}

function fromRecognizer(event: SttEvent, parts: PendingParts): EventInput {
  switch (event.type) {
    case 'partial':
      return { type: 'stt-partial', part: parts.current, text: event.text };
    case 'final': {
      const { text, language } = event;
      return { type: 'stt-final', part: parts.current, text, ...(language !== undefined && { language }) };
    }
    case 'finalized':
      return { type: 'stt-finalized', part: parts.finalized() };
    default:
      return { type: 'turn-judged', judgment: event.type };
  }
}

function failure(thrown: unknown): { retryable: boolean; message: string } {
  return { retryable: thrown instanceof ProviderError && thrown.retryable, message: toError(thrown).message };
}
