/** Keys that the caller has pressed and that are not a turn yet. */
interface PressedKeys {
  readonly digits: string;
  readonly lastAtMs: number;
}

/** Present while the caller is muted: speech makes no turn and is not transcribed. */
interface CallerMute {
  /** True if the caller is speaking now; such speech starts a turn when the mute ends. */
  readonly isSpeaking: boolean;
}

/** State of the caller that outlasts a turn. */
export interface Caller {
  readonly keys: PressedKeys | null;
  /** Typical length of this caller's pauses within a turn; null before the first one. */
  readonly learnedPauseMs: number | null;
  /** Consecutive turns in which the caller spoke and no word was recognized. */
  readonly unrecognizedTurns: number;
  readonly mute: CallerMute | null;
  /** True while the far end has put the call on hold. */
  readonly isOnHold: boolean;
  /**
   * True once a final transcript of the recognizer contained a sentence mark. Words that end without one are then
   * probably an unfinished sentence.
   */
  readonly hasMarks: boolean;
  /** True while a sound may become speech. */
  readonly isSuspected: boolean;
  /**
   * Number of words in another of the agent's languages, given by its index, since the last words in the current
   * language.
   */
  readonly otherLanguage: { readonly index: number; readonly words: number } | null;
}

export const unknownCaller: Caller = {
  keys: null,
  learnedPauseMs: null,
  unrecognizedTurns: 0,
  mute: null,
  isOnHold: false,
  hasMarks: false,
  isSuspected: false,
  otherLanguage: null,
};
