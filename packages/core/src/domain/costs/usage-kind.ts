/** Unit of the quantity of each kind of usage. Kinds of tokens are disjoint: none is counted in two kinds. */
export const usageUnits = {
  /** Text tokens that a model read, without those from its cache. */
  input_tokens: 'token',
  cached_input_tokens: 'token',
  input_audio_tokens: 'token',
  cached_input_audio_tokens: 'token',
  /** Text tokens that a model wrote: text, reasoning, tool calls. */
  output_tokens: 'token',
  output_audio_tokens: 'token',
  /** Audio streamed to a recognizer, silence included. */
  stt_seconds: 'second',
  /** Text sent to a synthesizer, also for speech that was interrupted or not used. */
  tts_characters: 'character',
  /** Audio received from a synthesizer. */
  tts_seconds: 'second',
  /** Time for which a session with a speech-to-speech model was open. */
  session_seconds: 'second',
  /** Time from the answer of the call to its end, at the host's `pricing`. */
  call_minutes: 'minute',
} as const;

/** Kind of billed usage. */
export type UsageKind = keyof typeof usageUnits;
/** Unit in which a kind of usage is measured. */
export type UsageUnit = (typeof usageUnits)[UsageKind];

/** Kinds of billed usage. */
export const usageKinds: readonly [UsageKind, ...UsageKind[]] = [
  'input_tokens',
  'cached_input_tokens',
  'input_audio_tokens',
  'cached_input_audio_tokens',
  'output_tokens',
  'output_audio_tokens',
  'stt_seconds',
  'tts_characters',
  'tts_seconds',
  'session_seconds',
  'call_minutes',
];
