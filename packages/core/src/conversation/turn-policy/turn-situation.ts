import type { Completeness, QuestionKind } from '@va/language';
import type { SpeechTail } from '@va/media';
import type { SpeechConfig } from '../../domain/agents/speech/speech-config.ts';
import type { Floor } from './floor.ts';

/**
 * Read-only view of a conversation, from which a turn policy decides. All times are in milliseconds on the monotonic
 * clock of the call.
 */
export interface TurnSituation {
  /** `speech_config` of the agent. */
  readonly settings: SpeechConfig;
  /** BCP 47 tag of the language of both parties, if known. */
  readonly language: string | undefined;
  /** True if one speech-to-speech model replaces recognizer, model and synthesizer. */
  readonly isRealtime: boolean;
  /** True if the recognizer detects the end of turns. */
  readonly judgesTurns: boolean;
  readonly hasFirstMessage: boolean;
  readonly user: UserSituation;
  readonly agent: AgentSituation;
  readonly floor: Floor;
}

/** The caller's side. */
export interface UserSituation {
  /** No turn, speaking, or silent while the turn may still go on. */
  readonly kind: 'idle' | 'speaking' | 'ending';
  readonly startedAtMs: number;
  /** Onset of the current speech, shifted by the length of its pauses. */
  readonly voicedSinceMs: number;
  /** Start of the current pause within speech; null while it is voiced. */
  readonly pausedAtMs: number | null;
  readonly lastSpeechAtMs: number;
  /** False if only words, and no speech, were detected. */
  readonly isVoiced: boolean;
  /** Words of the turn so far; empty without a turn. */
  readonly text: string;
  /** Completeness of the words, as estimated from the end of the text. */
  readonly completeness: Completeness;
  /** True if the words look finished even without their final mark: recognizers set full stops after most pauses. */
  readonly isCompleteByWords: boolean;
  /**
   * True if the recognizer sets sentence marks. Words that end without one are then probably an unfinished sentence.
   */
  readonly hasMarks: boolean;
  /** True if the last sentence of the words may lack its main clause: "If you like", "For two people". */
  readonly isOpening: boolean;
  /** Prosody of the end of the speech; null while the speech goes on, and for words without detected speech. */
  readonly tail: SpeechTail | null;
  /** True while a sound may become speech, before a turn starts. */
  readonly isSuspected: boolean;
  /**
   * Probability from 0 to 1 that the turn is over, as the turn model judges the current pause. Null without a turn
   * model, while the caller speaks, until the model has answered (150 ms after the last speech at the earliest), and if
   * it gives no usable answer. Whatever the probability: if a turn ends while `awaitsWords` is true, the words that a
   * recognizer has not reported yet are dropped.
   */
  readonly endProbability: number | null;
  /** True while the recognizer has not reported all words of the turn. */
  readonly awaitsWords: boolean;
  /** Typical length of this caller's pauses within a turn; null before the first one. */
  readonly learnedPauseMs: number | null;
}

/** The agent's side. */
export interface AgentSituation {
  /** True while it thinks or speaks. */
  readonly isActive: boolean;
  /** True while the caller hears it. */
  readonly isHeard: boolean;
  /** False while it says a message that must not be interrupted. */
  readonly isInterruptible: boolean;
  /** True while it is paused to find out whether the caller interrupts. */
  readonly isPaused: boolean;
  /** Time during such a pause at which the possible interruption was last heard; null while it goes on. */
  readonly quietSinceMs: number | null;
  /** Kind of answer that its last sentence asks for; null if that was not a question. */
  readonly asked: QuestionKind | null;
  /** Time at which the caller first heard the agent; null before that. */
  readonly firstSoundAtMs: number | null;
  /** True once its first turn is over. */
  readonly hasFinishedFirstTurn: boolean;
}
