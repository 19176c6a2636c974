/** Replacement of a word or phrase by the text that is sent to the synthesizer. */
export interface Pronunciation {
  /** Word or phrase as the agent writes it. Only whole words match. */
  readonly text: string;
  /** Text to synthesize in its place. */
  readonly say: string;
  readonly case_sensitive: boolean;
}
