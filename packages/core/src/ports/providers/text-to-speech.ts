import type { TtsConfig } from '../../domain/agents/agent.ts';
import type { Voice } from '../../domain/agents/speech/voice.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { AudioFormat } from '../media/audio-format.ts';
import type { ProviderTraits } from './provider-traits.ts';

/** Position of a word in the audio of its utterance, in milliseconds from the first sample. */
export interface WordTiming {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** An event of a synthesized utterance. */
export type TtsEvent =
  | { type: 'audio'; audio: Uint8Array }
  /** Words of the utterance in order, each once; before or after their audio. */
  | { type: 'words'; words: readonly WordTiming[] };

/**
 * One utterance: text is pushed in pieces, audio is streamed as it is synthesized. Iteration ends after the last audio
 * of the text pushed before `end()`, or at once after `cancel()`; throws a `ProviderError` on failure, and if text
 * produced no audio.
 */
export interface TtsUtterance extends AsyncIterable<TtsEvent> {
  /** Adds a piece of text that can be spoken by itself (a clause or sentence). */
  push(text: string): void;
  end(): void;
  /** Cancels the utterance. Idempotent; nothing is emitted afterwards. */
  cancel(): void;
}

/** Options of a synthesis session. */
export interface TtsSessionOptions {
  readonly config: TtsConfig;
  /** BCP 47 language tag of the conversation, if the agent names one. `config.language` takes precedence. */
  readonly language?: string;
  /** Required format of the audio: one of the provider's `formats`. */
  readonly format: AudioFormat;
  /** The organization's key, which MUST be used instead of the adapter's. */
  readonly apiKey?: string;
  /** Closes the session and all its utterances. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One call's synthesis; owns connections shared by its utterances. */
export interface TtsSession {
  speak(): TtsUtterance;
  close(): void;
}

/** A text-to-speech provider. */
export interface TextToSpeech extends ProviderTraits {
  readonly kind: 'tts';
  /** Value of `tts_config.provider` that selects this provider. */
  readonly id: string;
  /** Available output formats, the preferred one first. */
  readonly formats: readonly AudioFormat[];
  /** Voices available to every customer's agents, whichever key is used. */
  readonly voices?: readonly Voice[];
  open(options: TtsSessionOptions): TtsSession;
}
