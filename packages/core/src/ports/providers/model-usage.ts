/** Tokens of one request to a model, as its provider counts them. Counts that it does not report are absent. */
export interface ModelUsage {
  /** All tokens of the request: text, audio, cached. */
  readonly inputTokens: number;
  /** Part of `inputTokens` that the provider read from its cache. */
  readonly cachedInputTokens?: number;
  /** Part of `inputTokens` that is audio. */
  readonly inputAudioTokens?: number;
  /** Part of `inputAudioTokens` that the provider read from its cache. */
  readonly cachedInputAudioTokens?: number;
  /** All tokens of the reply: text, audio, reasoning, tool calls. */
  readonly outputTokens: number;
  /** Part of `outputTokens` that is audio. */
  readonly outputAudioTokens?: number;
  /** Seconds of audio, for a transcription that is billed by duration; its token counts are 0. */
  readonly inputAudioSeconds?: number;
  /**
   * The model that is billed, if it differs from the configured one: the transcription model of a speech-to-speech
   * session.
   */
  readonly model?: string;
}
