/** Phrases that identify who or what answered a call, in lower case and without punctuation. */
export interface GreetingPhrases {
  /** Call screening services, which ask for the caller's name and reason. */
  readonly screening: readonly string[];
  /** Used by voicemails only. */
  readonly voicemail: readonly string[];
  /** Menus and network announcements, where nobody listens and no message can be left. */
  readonly ivr: readonly string[];
  /** Used mostly by voicemails, but also at the start of menus. */
  readonly likelyVoicemail: readonly string[];
  /** Used at the start of menus and by persons at a company. Long speech after them is a menu. */
  readonly likelyIvr: readonly string[];
  /** Used by persons only: questions that wait for an answer. */
  readonly human: readonly string[];
}
