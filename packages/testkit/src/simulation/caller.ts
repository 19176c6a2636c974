import type { SpokenLine } from './conversation.ts';

/**
 * The caller's next action, once the agent has finished.
 *
 * - A text, or `says`: says it, after `afterMs` if given.
 * - `presses`: sends DTMF digits.
 * - `waitsMs`: stays silent for that time.
 */
export type CallerLine =
  | string
  | { readonly says: string; readonly afterMs?: number }
  | { readonly presses: string }
  | { readonly waitsMs: number };

/**
 * A line of a script may also be said a given time after the agent has begun its next words: an interruption, or a
 * backchannel such as "uh-huh".
 */
export type ScriptedLine = CallerLine | { readonly says: string; readonly overAgentMs: number };

/** The caller's knowledge at their turn. */
export interface CallerView {
  readonly lines: readonly SpokenLine[];
  /** The agent's words since the caller's last turn; may be empty. */
  readonly agentSaid: string;
  /** Number of the caller's turns so far. */
  readonly turn: number;
}

/** Plays the caller: returns the next line, or null to hang up. Virtual time stands still meanwhile. */
export type CallerPlayer = (view: CallerView) => CallerLine | null | Promise<CallerLine | null>;

/** A player of the caller. */
export interface SimulatedCaller {
  /** Delay of this turn's line from the start of the agent's speech; null to wait for its end. */
  overAgentMs(turn: number): number | null;
  play(view: CallerView): ScriptedLine | null | Promise<ScriptedLine | null>;
}

/** Returns a caller who says the lines of a script in order and then hangs up, or who is played by a function. */
export function callerOf(script: readonly ScriptedLine[] | CallerPlayer): SimulatedCaller {
  if (typeof script === 'function') return { overAgentMs: () => null, play: script };
  return {
    overAgentMs(turn) {
      const line = script[turn];
      return typeof line === 'object' && 'overAgentMs' in line ? line.overAgentMs : null;
    },
    play: ({ turn }) => script[turn] ?? null,
  };
}
