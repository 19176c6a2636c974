import type { SpokenLine } from './conversation.ts';

/**
 * What the caller does next, once the agent has finished.
 *
 * - A text, or `says`: says it, `afterMs` later where that is given.
 * - `presses`: presses keys.
 * - `waitsMs`: is silent for so long.
 */
export type CallerLine =
  | string
  | { readonly says: string; readonly afterMs?: number }
  | { readonly presses: string }
  | { readonly waitsMs: number };

/**
 * A line of a script may also be said so long after the agent has begun its next words: an interruption, an "uh-huh".
 */
export type ScriptedLine = CallerLine | { readonly says: string; readonly overAgentMs: number };

/** What the caller knows when it is their turn. */
export interface CallerView {
  readonly lines: readonly SpokenLine[];
  /** What the agent has said since the caller did; empty where it was nothing. */
  readonly agentSaid: string;
  /** How often the caller has had their turn. */
  readonly turn: number;
}

/** Plays the caller: gives the next line, or null to hang up. Time stands still meanwhile. */
export type CallerPlayer = (view: CallerView) => CallerLine | null | Promise<CallerLine | null>;

/** Whoever plays the caller. */
export interface Caller {
  /** How long after the agent has begun to speak the line of this turn is said; null where the agent is heard out. */
  overAgentMs(turn: number): number | null;
  play(view: CallerView): ScriptedLine | null | Promise<ScriptedLine | null>;
}

/** The lines in their order, and then the caller hangs up. */
export function callerOf(script: readonly ScriptedLine[] | CallerPlayer): Caller {
  if (typeof script === 'function') return { overAgentMs: () => null, play: script };
  return {
    overAgentMs(turn) {
      const line = script[turn];
      return typeof line === 'object' && 'overAgentMs' in line ? line.overAgentMs : null;
    },
    play: ({ turn }) => script[turn] ?? null,
  };
}
