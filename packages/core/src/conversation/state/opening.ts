import type { AmdState } from '@va/language';

/** State of answering-machine detection, until its verdict is known and a voicemail has beeped. */
export interface Answering {
  readonly judged: AmdState;
  /** When a greeting without a beep was last heard; null while it is being spoken. */
  readonly quietSinceMs: number | null;
  /** True if a person answered, whose hello has no words yet: the first message follows these. */
  readonly isGreetingDue: boolean;
}
