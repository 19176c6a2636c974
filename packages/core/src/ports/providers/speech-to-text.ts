import type { SttConfig } from '../../domain/agents/agent.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { AudioFormat } from '../media/audio-format.ts';
import type { ProviderTraits } from './provider-traits.ts';

/** An event of a recognition stream. */
export type SttEvent =
  /** Words of the current segment so far; replaces the previous `partial`. */
  | { type: 'partial'; text: string }
  /**
   * Final words of the segment; the next `partial` starts a new segment. `language` is the BCP 47 tag of its language,
   * if the recognizer detects languages.
   */
  | { type: 'final'; text: string; language?: string }
  /** Response to `finalize()`: everything sent before it has been transcribed. */
  | { type: 'finalized' }
  /** The caller has started to speak. Like all `turn-…` events, only from a stream with `judgesTurns`. */
  | { type: 'turn-started' }
  /** The turn has probably ended, with the words so far: a reply may be prepared. */
  | { type: 'turn-ending' }
  /** The turn continues after all. */
  | { type: 'turn-resumed' }
  /** The turn has ended. All `final` events of the turn came before. */
  | { type: 'turn-ended' };

/** Options of a recognition stream. */
export interface SttStreamOptions {
  readonly config: SttConfig;
  /** Format of `send`: one of the provider's `formats`. */
  readonly format: AudioFormat;
  /**
   * Key terms of the call: words and phrases to recognize, such as names. An adapter without such a feature ignores
   * them.
   */
  readonly hints: readonly string[];
  /**
   * BCP 47 tags of the languages that the caller may speak, the expected one first; absent if there is only one. A
   * recognizer that detects languages sets `language` of its `final` events.
   */
  readonly languages?: readonly string[];
  /** The organization's key, which MUST be used instead of the adapter's. */
  readonly apiKey?: string;
  /** Ends the stream at once, without further events. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * One call's recognition. Iteration ends when the stream is closed or aborted, and throws a `ProviderError` when the
 * provider is lost for good; before that an adapter reconnects by its own policy.
 */
export interface SttStream extends AsyncIterable<SttEvent> {
  /**
   * True if the stream detects the end of turns from the speech (`turn-…` events), which then replaces the pipeline's
   * endpointing. `finalize()` MUST still be answered. False by default.
   */
  readonly judgesTurns?: boolean;
  /**
   * Takes audio in the agreed format. The buffer is valid until the method returns: copy what is kept. MUST NOT block,
   * and MUST bound its buffers while disconnected.
   */
  send(audio: Uint8Array): void;
  /** The pipeline's VAD detected the start of speech. Adapters that listen continuously ignore it. */
  speechStarted(): void;
  /** The pipeline's VAD detected the end of speech: transcribe what was sent, then emit `finalized`. */
  finalize(): void;
  /** Replaces the key terms during a call. MUST NOT interrupt recognition; absent if unsupported. */
  setHints?(hints: readonly string[]): void;
  close(): void;
}

/** A speech-to-text provider. */
export interface SpeechToText extends ProviderTraits {
  readonly kind: 'stt';
  /** Value of `stt_config.provider` that selects this provider. */
  readonly id: string;
  /** Accepted input formats, the preferred one first. */
  readonly formats: readonly AudioFormat[];
  open(options: SttStreamOptions): SttStream;
}
