/** Returns a tone, by default at 8 kHz. */
export function tone(ms: number, hertz = 440, amplitude = 8_000, rateHz = 8_000): Int16Array {
  return Int16Array.from({ length: (ms * rateHz) / 1_000 }, (_, i) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hertz * i) / rateHz)),
  );
}

/** Returns the share of the samples' energy at that frequency: 1 for a pure tone. */
export function purity(pcm: Int16Array, hertz: number, rateHz = 8_000): number {
  let power = 0;
  for (const sample of pcm) power += sample * sample;
  return power === 0 ? 0 : (toneLevel(pcm, hertz, rateHz) ** 2 * pcm.length) / (2 * power);
}

/** Returns the amplitude of that frequency in the samples. */
export function toneLevel(pcm: Int16Array, hertz: number, rateHz = 8_000): number {
  let real = 0;
  let imaginary = 0;
  for (const [i, sample] of pcm.entries()) {
    const angle = (2 * Math.PI * hertz * i) / rateHz;
    real += sample * Math.cos(angle);
    imaginary += sample * Math.sin(angle);
  }
  return pcm.length === 0 ? 0 : (2 * Math.hypot(real, imaginary)) / pcm.length;
}
