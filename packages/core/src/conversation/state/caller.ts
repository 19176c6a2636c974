/** Keys that the caller has pressed and that are not a turn yet. */
export interface PressedKeys {
  readonly digits: string;
  readonly lastAtMs: number;
}

/** Present while the caller is muted: speech makes no turn and is not transcribed. */
export interface CallerMute {
  /** Whether the caller is speaking now; such speech starts a turn when the mute ends. */
  readonly isSpeaking: boolean;
}
