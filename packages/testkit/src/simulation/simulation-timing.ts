/** How long the parts that are played take. All in milliseconds. */
export interface SimulationTiming {
  /**
   * From the caller's last sound to the recognizer's last words. 0 by default: they are there before the turn is over.
   */
  readonly sttSettlesAfterMs?: number;
  /** From a text to its first sound. 0 by default. */
  readonly ttsFirstByteMs?: number;
  /** The agent's pace of speech: how long a letter sounds. 60 by default. */
  readonly msPerLetter?: number;
  /** How long the agent has to be silent until the caller takes it for finished. 500 by default. */
  readonly callerWaitsMs?: number;
  /** How long the caller waits for an answer before they go on. 8,000 by default. */
  readonly callerPatienceMs?: number;
}
