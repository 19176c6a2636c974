import type { TurnStartStrategy } from '../turn-policy/turn-policy.ts';

/** Starts a turn with detected speech, and with words of speech that was too short or too soft to be detected. */
export const startByAnySign: TurnStartStrategy = {
  startsTurn: () => true,
};
