import type { TtsConfig } from '../../domain/agents/agent.ts';
import type { Voice } from '../../domain/agents/voice.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { AudioFormat } from '../media/audio-format.ts';
import type { ProviderTraits } from './provider-traits.ts';

/** Where a word lies in the audio of its utterance, in milliseconds from the utterance's first sample. */
export interface WordTiming {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export type TtsEvent =
  | { type: 'audio'; audio: Uint8Array }
  /** Words of the utterance, in order, each once; may come before or after their audio. */
  | { type: 'words'; words: readonly WordTiming[] };

/**
 * One utterance: text goes in piece by piece, audio comes out as it is made. Iterating ends after the last audio of
 * the text pushed before `end()`, or at once after `cancel()`; it throws a `ProviderError` on failure, and also when
 * text was given and no audio came of it.
 */
export interface TtsUtterance extends AsyncIterable<TtsEvent> {
  /** A piece of text that can be spoken by itself (a clause or sentence). */
  push(text: string): void;
  end(): void;
  /** Idempotent. Nothing of this utterance is emitted afterwards. */
  cancel(): void;
}

export interface TtsSessionOptions {
  readonly config: TtsConfig;
  /** BCP 47 language tag of the conversation, where the agent names one. `config.language` takes precedence. */
  readonly language?: string;
  /** What the utterances must carry: one of the provider's `formats`. */
  readonly format: AudioFormat;
  /** The organization's own key, which MUST then be used in the place of the adapter's. */
  readonly apiKey?: string;
  /** Closes the session and all its utterances. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One call's synthesis; connections that the provider can share between utterances live here. */
export interface TtsSession {
  speak(): TtsUtterance;
  close(): void;
}

/** A text-to-speech provider. */
export interface TextToSpeech extends ProviderTraits {
  readonly kind: 'tts';
  /** The name that `tts_config.provider` selects it by. */
  readonly id: string;
  /** Producible output, the preferred one first. */
  readonly formats: readonly AudioFormat[];
  /** Voices that any customer's agent can have; none of them depends on whose key is used. */
  readonly voices?: readonly Voice[];
  open(options: TtsSessionOptions): TtsSession;
}
