/** Returns a tone at 8 kHz. */
export function tone(ms: number, hertz = 440, amplitude = 8_000): Int16Array {
  return Int16Array.from({ length: ms * 8 }, (_, i) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hertz * i) / 8_000)),
  );
}

/** Returns the share of the samples' energy at that frequency: 1 for a pure tone. */
export function purity(pcm: Int16Array, hertz: number): number {
  let real = 0;
  let imaginary = 0;
  let power = 0;
  for (const [i, sample] of pcm.entries()) {
    const angle = (2 * Math.PI * hertz * i) / 8_000;
    real += sample * Math.cos(angle);
    imaginary += sample * Math.sin(angle);
    power += sample * sample;
  }
  return power === 0 ? 0 : (2 * (real * real + imaginary * imaginary)) / (pcm.length * power);
}
