/** What the words of a greeting tell of who, or what, has answered. In lower case, without marks. */
export interface GreetingPhrases {
  /** A service that asks on the callee's behalf who is calling. */
  readonly screening: readonly string[];
  /** Only a voicemail says so. */
  readonly voicemail: readonly string[];
  /** A menu, or an announcement of the network: nobody to talk to, and nowhere to leave a message. */
  readonly ivr: readonly string[];
  /** Mostly a voicemail's, but a menu may begin with it, too. */
  readonly likelyVoicemail: readonly string[];
  /** How a menu begins, or a person at a company: long speech after it is a menu's. */
  readonly likelyIvr: readonly string[];
  /** Only a person says so: a question that waits for an answer. */
  readonly human: readonly string[];
}
