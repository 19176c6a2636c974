import type { Completeness } from '@va/language';
import type { SpeechTail } from '@va/media';

/** The caller's turn: no turn, speaking, or silent while the turn may still go on. */
export interface UserTurn {
  readonly kind: 'idle' | 'speaking' | 'ending';
  /** Onset of the current speech, shifted by the length of its pauses: the time from here to now was voiced. */
  readonly voicedSinceMs: number;
  /** Start of the current pause within speech; null while it is voiced. */
  readonly pausedAtMs: number | null;
  readonly lastSpeechAtMs: number;
  readonly finals: readonly string[];
  readonly partial: string;
  /** The words so far: the finals and the partial. */
  readonly text: string;
  /** Parts of this turn that the recognizer was asked to finalize and has not answered. */
  readonly awaited: readonly number[];
  /**
   * Parts that the recognizer had not answered when their turn ended. Their words are dropped until
   * `supersededUntilMs`.
   */
  readonly superseded: readonly number[];
  /** Limits the time for which words are dropped, because a recognizer may never answer a part. */
  readonly supersededUntilMs: number;
  /** True if the voice activity detector found speech; words alone also start a turn. */
  readonly voiced: boolean;
  readonly startedAtMs: number;
  /** Time of the last change of the words. */
  readonly wordsAtMs: number;
  /** Completeness of the words. Computed when they change, like `text`, because timers read both at every step. */
  readonly completeness: Completeness;
  /** True if the words look finished even without their final mark. */
  readonly isCompleteByWords: boolean;
  /** True if the last sentence of the words may lack its main clause. */
  readonly isOpening: boolean;
  /** Prosody of the end of the speech; null while the speech goes on, and for words without detected speech. */
  readonly tail: SpeechTail | null;
  /**
   * Time at which the recognizer was asked to finalize speech for which it had reported no words; null if it was not
   * asked.
   */
  readonly probedAtMs: number | null;
  /** Number of replies prepared during this turn. */
  readonly preemptions: number;
  /** All parts of this turn that were finalized. */
  readonly parts: readonly number[];
  /** True if the agent responded before the turn was over: it greets after a "Hello?" without waiting. */
  readonly isAnswered: boolean;
}

export const idleUserTurn: UserTurn = {
  kind: 'idle',
  voicedSinceMs: 0,
  pausedAtMs: null,
  lastSpeechAtMs: 0,
  finals: [],
  partial: '',
  text: '',
  awaited: [],
  superseded: [],
  supersededUntilMs: 0,
  voiced: false,
  startedAtMs: 0,
  wordsAtMs: 0,
  completeness: 'open',
  isCompleteByWords: false,
  isOpening: false,
  tail: null,
  probedAtMs: null,
  preemptions: 0,
  parts: [],
  isAnswered: false,
};
