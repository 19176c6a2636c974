/** A voice activity detector: the default is Silero v6 at 8 kHz; tests bring their own. */
export interface VoiceActivityDetector {
  /** Samples of 8 kHz audio in a window. */
  readonly windowSamples: number;
  createStream(): VoiceActivityStream;
  /**
   * The URL of a module that exports `createDetector`, a function that makes the same one, so that it can work in the
   * threads where the media are. Without it the caller's audio is brought to the service's own thread for it.
   */
  readonly module?: string;
  /**
   * Writes into `into` the probability of the next window of each of several of its streams, none of them twice. For a
   * detector that does so for less than one by one; it MUST give the same.
   */
  judge?(streams: readonly VoiceActivityStream[], windows: readonly Int16Array[], into: Float64Array): void;
}

/** One call's detector with its memory of what it heard. */
export interface VoiceActivityStream {
  /** The probability (0–1) that the window holds speech. Runs inside the media tick: it MUST NOT block. */
  probability(window: Int16Array): number;
  /**
   * Called after each window of a silence that lasts: what was heard before it is to count a little less. For networks
   * whose memory of a long silence keeps them from hearing a short word; one without such a memory leaves this out.
   */
  forget?(): void;
}
