import type { SpeechConfig } from '../../domain/agents/speech/speech-config.ts';
import type { MuteStrategy } from '../turn-policy/turn-policy.ts';
import type { TurnSituation } from '../turn-policy/turn-situation.ts';

/** Mutes the caller by `speech_config.interruption.mute_strategies`. */
export const muteBySettings: MuteStrategy = {
  mutesCaller: (situation) =>
    situation.settings.interruption.mute_strategies.some((setting) => isMuting(setting, situation)),
};

type MuteSetting = SpeechConfig['interruption']['mute_strategies'][number];

function isMuting(setting: MuteSetting, { agent, floor, hasFirstMessage }: TurnSituation): boolean {
  switch (setting) {
    case 'first_speech':
      return !agent.hasFinishedFirstTurn && agent.isHeard;
    case 'until_first_bot_complete':
      return !agent.hasFinishedFirstTurn && hasFirstMessage;
    case 'function_call':
      return floor.holders.includes('tool');
    case 'always':
      return agent.isHeard;
  }
}
