/** Delays of the simulated parts, in milliseconds. */
export interface SimulationTiming {
  /** Delay from the caller's last sound to the recognizer's last words. Default: 0, before the turn ends. */
  readonly sttSettlesAfterMs?: number;
  /** Delay from a text to its first sound. Default: 0. */
  readonly ttsFirstByteMs?: number;
  /** The agent's pace of speech: duration of a letter. Default: 60. */
  readonly msPerLetter?: number;
  /** Silence of the agent after which the caller considers it finished. Default: 500. */
  readonly callerWaitsMs?: number;
  /** Time for which the caller waits for an answer before going on. Default: 8,000. */
  readonly callerPatienceMs?: number;
}
