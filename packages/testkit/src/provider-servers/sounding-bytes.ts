/** What is not the silence of G.711 μ-law: in silence no words are heard. */
export function soundingBytes(audio: Uint8Array): number {
  return audio.reduce((count, code) => count + (code === 0xff || code === 0x7f ? 0 : 1), 0);
}
