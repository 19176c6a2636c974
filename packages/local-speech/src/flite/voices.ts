import type { Voice } from '@va/core';

/** Voices of the package: three statistical voices (slt female, rms and awb male) and the small diphone voice kal. */
export const fliteVoices = ['slt', 'rms', 'awb', 'kal'] as const;

export type FliteVoice = (typeof fliteVoices)[number];

export function isFliteVoice(id: string): id is FliteVoice {
  return (fliteVoices as readonly string[]).includes(id);
}

function described(id: FliteVoice, language: string, en: string, nl: string): Voice {
  return { id, name: id.toUpperCase(), language, description: { en, nl }, provider: 'flite' };
}

/** The voices as listed by GET /voices. */
export const describedVoices: readonly Voice[] = [
  described('slt', 'en-US', 'American woman, synthetic', 'Amerikaanse vrouw, synthetisch'),
  described('rms', 'en-US', 'American man, synthetic', 'Amerikaanse man, synthetisch'),
  described('awb', 'en-GB', 'Scottish man, synthetic', 'Schotse man, synthetisch'),
  described('kal', 'en-US', 'American man, robotic', 'Amerikaanse man, robotachtig'),
];
