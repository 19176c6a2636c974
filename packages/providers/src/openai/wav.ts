/**
 * Returns a WAV file of 16-bit mono samples.
 * @see http://www-mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html
 */
export function toWav(chunks: readonly Uint8Array[], sampleRateHz: number): Uint8Array<ArrayBuffer> {
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  const file = new Uint8Array(44 + bytes);
  const view = new DataView(file.buffer);
  const text = new TextEncoder();
  file.set(text.encode('RIFF'), 0);
  view.setUint32(4, 36 + bytes, true);
  file.set(text.encode('WAVEfmt '), 8);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  file.set(text.encode('data'), 36);
  view.setUint32(40, bytes, true);
  let at = 44;
  for (const chunk of chunks) {
    file.set(chunk, at);
    at += chunk.length;
  }
  return file;
}
