import type { SttConfig } from '../../domain/agents/agent.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { AudioFormat } from '../media/audio-format.ts';
import type { ProviderTraits } from './provider-traits.ts';

export type SttEvent =
  /** The words so far of the segment that is being spoken; replaces the previous partial. */
  | { type: 'partial'; text: string }
  /** The segment is settled. The next partial starts a new one. */
  | { type: 'final'; text: string }
  /** Answer to `finalize()`: everything sent before it has been transcribed. */
  | { type: 'finalized' }
  /** Of a recognizer that `judgesTurns`: the caller has begun to speak. */
  | { type: 'turn-started' }
  /** … has probably finished, with the words so far: a reply may be prepared. */
  | { type: 'turn-ending' }
  /** … goes on after all. */
  | { type: 'turn-resumed' }
  /** … has finished. All `final` events of the turn came before it. */
  | { type: 'turn-ended' };

export interface SttStreamOptions {
  readonly config: SttConfig;
  /** What `send` will carry: one of the provider's `formats`. */
  readonly format: AudioFormat;
  /**
   * Key terms of the call: words and phrases to recognize, such as names. An adapter without such a feature ignores
   * them.
   */
  readonly hints: readonly string[];
  /** The organization's own key, which MUST then be used in the place of the adapter's. */
  readonly apiKey?: string;
  /** Ends the stream at once, with no further event. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * One call's recognition. Iterating ends when the stream is closed or aborted, and throws a `ProviderError` when the
 * provider is lost for good; an adapter reconnects by its own policy before that.
 */
export interface SttStream extends AsyncIterable<SttEvent> {
  /**
   * Whether it tells by the speech itself when a turn ends (`turn-…` events): then its word counts, not the pipeline's
   * own endpointing. `finalize()` MUST still be answered. False by default.
   */
  readonly judgesTurns?: boolean;
  /**
   * Audio in the agreed format. The bytes are the adapter's until it returns: what it keeps, it copies. Never blocks;
   * an adapter MUST bound what it buffers while it is not connected.
   */
  send(audio: Uint8Array): void;
  /** The pipeline's VAD heard speech begin. Adapters that listen all the time ignore it. */
  speechStarted(): void;
  /** The pipeline's VAD heard speech end: settle what was sent, then emit `finalized`. */
  finalize(): void;
  /** Replaces the key terms in mid-call. MUST NOT interrupt recognition; left out by adapters that cannot. */
  setHints?(hints: readonly string[]): void;
  close(): void;
}

/** A speech-to-text provider. */
export interface SpeechToText extends ProviderTraits {
  readonly kind: 'stt';
  /** The name that `stt_config.provider` selects it by. */
  readonly id: string;
  /** Accepted input, the preferred one first. */
  readonly formats: readonly AudioFormat[];
  open(options: SttStreamOptions): SttStream;
}
