import type { AmdState } from '@va/language';

/** State of answering-machine detection, until its verdict is known and a voicemail has beeped. */
export interface Answering {
  readonly judged: AmdState;
  /** Time at which the far end's greeting was last heard; null while it is being spoken. */
  readonly quietSinceMs: number | null;
  /** True if a person answered and the words of their "Hello?" are not known yet: the first message waits for them. */
  readonly isGreetingDue: boolean;
}

/** The beginning of a call. */
export interface Opening {
  readonly answeredAtMs: number;
  /** Latest time of the first message, if it waits for media of the far end; null if no message waits. */
  readonly greetingDueAtMs: number | null;
  /** Set until it is known who or what answered an outbound call. */
  readonly answering: Answering | null;
  /** Progress of the agent's first turn. */
  readonly firstSpeech: 'none' | 'going' | 'over';
}
