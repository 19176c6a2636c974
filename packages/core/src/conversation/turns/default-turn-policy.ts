import type { TurnPolicy } from '../turn-policy/turn-policy.ts';
import { muteBySettings } from './caller-mute.ts';
import { interruptionBySettings } from './interruption.ts';
import { endBySettings } from './turn-end.ts';
import { startByAnySign } from './turn-start.ts';

/** The turn policy that follows the agent's `speech_config`. */
export const defaultTurnPolicy: TurnPolicy = {
  start: startByAnySign,
  end: endBySettings,
  interruption: interruptionBySettings,
  mute: muteBySettings,
};
