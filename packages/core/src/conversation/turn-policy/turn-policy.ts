import type { TurnSituation } from './turn-situation.ts';

/**
 * Decides when a turn of the caller starts and ends, when the caller may interrupt the agent, and when the caller is
 * muted. `defaultTurnPolicy` follows the agent's `speech_config`; a host replaces strategies of it with the option
 * `turnPolicy` of `createVoiceAgents`.
 *
 * Strategies MUST be pure: the same situation gives the same answer, without clock, I/O or state of their own. They run
 * several times per event, also for events that change nothing. An error that one throws ends its call with
 * `internal_error`.
 *
 * @example
 * ```ts
 * const patientPolicy: Partial<TurnPolicy> = {
 *   end: {
 *     ...defaultTurnPolicy.end,
 *     // Waits two seconds after a question mark, and otherwise as the agent is configured.
 *     endsAtMs: (situation) =>
 *       situation.user.text.endsWith('?')
 *         ? situation.user.lastSpeechAtMs + 2_000
 *         : defaultTurnPolicy.end.endsAtMs(situation),
 *   },
 * };
 * const va = createVoiceAgents({ storage, providers, webhooks, turnPolicy: patientPolicy });
 * ```
 */
export interface TurnPolicy {
  readonly start: TurnStartStrategy;
  readonly end: TurnEndStrategy;
  readonly interruption: InterruptionStrategy;
  readonly mute: MuteStrategy;
}

/** A sign that the caller, who has no turn, may be starting one: detected speech, or recognized words without it. */
export type TurnSign = { readonly type: 'speech' } | { readonly type: 'words'; readonly text: string };

/** Decides whether the caller's speech begins a turn. */
export interface TurnStartStrategy {
  /**
   * Returns whether a turn starts. If not, the sign is ignored: the agent is not interrupted, and the recognizer is not
   * asked for the words of that speech.
   */
  startsTurn(situation: TurnSituation, sign: TurnSign): boolean;
}

/** Decides when the caller's turn ends. */
export interface TurnEndStrategy {
  /** Returns when the turn of a caller who has stopped speaking ends if nothing more is said; null for never. */
  endsAtMs(situation: TurnSituation): number | null;
  /** Asked during a turn: returns when it ends even if the caller goes on; null for never. */
  limitAtMs(situation: TurnSituation): number | null;
  /** Returns whether the words so far may be the whole turn, so that preparing a reply is worthwhile. */
  mayBeOver(situation: TurnSituation): boolean;
}

/**
 * Decides whether the caller interrupts the agent. Asked while the agent thinks or speaks, unless a holder of the
 * floor, such as a transfer, forbids interruptions.
 */
export interface InterruptionStrategy {
  /** Returns whether the caller can interrupt the agent at that time by anything at all, keys included. */
  mayInterrupt(situation: TurnSituation, atMs: number): boolean;
  /**
   * Returns whether the agent's voice is lowered. Asked while a caller who may interrupt is making a sound that is or
   * may be speech.
   */
  lowersVoice(situation: TurnSituation): boolean;
  /** Returns when the current speech interrupts by its duration, unless it pauses before; null for never. */
  interruptsAtMs(situation: TurnSituation): number | null;
  /** Returns whether the words of an unfinished turn interrupt. */
  wordsInterrupt(situation: TurnSituation): boolean;
  /** Returns whether a finished turn interrupts; otherwise the agent goes on, and the turn gets no reply. */
  turnInterrupts(situation: TurnSituation): boolean;
  /** Returns whether the words said over the agent only show that the caller listens. Such words never interrupt. */
  isBackchannel(situation: TurnSituation): boolean;
  /** Asked after a possible interruption has fallen silent: returns when the paused agent resumes; null for never. */
  resumesAtMs(situation: TurnSituation, quietSinceMs: number): number | null;
}

/** Decides when the caller is muted. */
export interface MuteStrategy {
  /** Returns whether the caller is muted now. Their speech then starts no turn and is not transcribed. */
  mutesCaller(situation: TurnSituation): boolean;
}
