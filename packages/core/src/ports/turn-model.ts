/** Input of a turn model in a pause of the caller. */
export interface TurnModelInput {
  /**
   * The caller's turn up to now, from half a second before its first speech: mono, at most the last 8 s, with the
   * beginning of the pause (150 ms or more) at its end. Shorter than 8 s for a shorter turn. The array belongs to the
   * model, which may change or transfer it.
   */
  readonly audio: Int16Array;
  /** 8,000, or 16,000 for a wideband call. A model that needs another rate resamples the audio itself. */
  readonly sampleRateHz: number;
  /** Words of the turn so far, provisional ones included; empty if none are known, as with realtime agents. */
  readonly text: string;
  /** BCP 47 tag of the language of the conversation, if known. */
  readonly language: string | undefined;
  /** Aborts when the estimate is of no use any more: the caller goes on, or the deadline has passed. */
  readonly signal: AbortSignal;
}

/**
 * Estimates in a pause of the caller whether their turn is over. Turn policies read the answer as
 * `situation.user.endProbability`. One model serves all calls of the process, with at most one request per call at a
 * time. It has a deadline of some 50 ms on the thread that runs the conversations: what takes more than a millisecond
 * of computing belongs in a worker thread or another process.
 *
 * @example
 * ```ts
 * const finishedSentence: TurnModel = {
 *   id: 'finished-sentence',
 *   usesText: true,
 *   judge: async ({ text }) => (/[.!?]$/.test(text) ? 0.9 : 0.2),
 * };
 * const va = createVoiceAgents({ storage, providers, webhooks, turnModel: { model: finishedSentence } });
 * ```
 */
export interface TurnModel {
  /** Name in logs and metrics. */
  readonly id: string;
  /** True if the answer depends on `text`: the model is then asked again when the words change. False by default. */
  readonly usesText?: boolean;
  /** Loads the model. Called when the service starts, which fails if this rejects. */
  open?(): Promise<void>;
  /**
   * Returns the probability from 0 to 1 that the turn is over. May reject; other values, failures and late answers are
   * ignored, and the turn policy decides without an answer.
   */
  judge(input: TurnModelInput): Promise<number>;
  /** Releases the resources. Called when the service closes, also after an `open` that failed. */
  close?(): Promise<void>;
}
