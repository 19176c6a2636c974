/** The voices of the package: three statistical voices (slt female, rms and awb male) and the small diphone voice kal. */
export const fliteVoices = ['slt', 'rms', 'awb', 'kal'] as const;

export type FliteVoice = (typeof fliteVoices)[number];

export function isFliteVoice(id: string): id is FliteVoice {
  return (fliteVoices as readonly string[]).includes(id);
}
