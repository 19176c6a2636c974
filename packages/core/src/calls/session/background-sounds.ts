import type { MediaSettings } from '@va/media';
import type { Clips } from '../../clips/clips.ts';
import type { SpeechConfig } from '../../domain/agents/speech/speech-config.ts';
import type { Logger } from '../../ports/logger.ts';

interface SoundSources {
  readonly clips?: Clips | undefined;
  readonly logger: Logger;
}

/** Returns the sounds behind an agent, at the leg's rate. A clip that the host does not have is logged and left out. */
export function backgroundSounds(
  { ambient, hold }: Pick<SpeechConfig, 'ambient' | 'hold'>,
  { clips, logger }: SoundSources,
  sampleRateHz: number,
): Pick<MediaSettings, 'ambient' | 'hold'> {
  const samplesOf = (clip: string | null): Int16Array | undefined => {
    if (clip === null) return undefined;
    const samples = clips?.find(clip, sampleRateHz) ?? undefined;
    if (samples === undefined) logger.warn({ clip }, 'a sound is left out: the host has no clip of this name');
    return samples;
  };
  return {
    ambient: { sound: ambient.sound, volume: ambient.volume, samples: samplesOf(ambient.clip) },
    hold: { sound: 'none', volume: hold.volume, samples: samplesOf(hold.clip) },
  };
}
