import { encodeG711, g711Silence } from '@va/media';

/** Duration of each character of spoken text, in milliseconds. */
export const msPerCharacter = 40;
const charactersPerPiece = 12;

/** Format of synthesized audio. */
export interface SpokenFormat {
  readonly encoding: 'pcm16' | 'pcmu' | 'pcma' | 'mp3';
  readonly sampleRateHz: number;
}

/** MP3 of 128 kbit/s. */
const mp3BytesPerMs = 16;

/** Splits a text into parts; each message has the audio of one part. */
export function piecesOf(text: string): string[] {
  return text.match(new RegExp(`.{1,${charactersPerPiece}}`, 'gs')) ?? [];
}

/** Returns the audio of a text: never silence, and different for each chunk. MP3 is imitated in size only. */
export function audioOf(text: string, piece: number, { encoding, sampleRateHz }: SpokenFormat): Buffer {
  if (encoding === 'mp3') return Buffer.alloc(text.length * msPerCharacter * mp3BytesPerMs, piece);
  const samples = Math.round((text.length * msPerCharacter * sampleRateHz) / 1_000);
  const level = 1_000 + (piece % 100) * 100;
  if (encoding === 'pcm16') {
    const audio = Buffer.alloc(samples * 2);
    for (let at = 0; at < samples; at++) audio.writeInt16LE(level, at * 2);
    return audio;
  }
  const [code = g711Silence[encoding]] = encodeG711(encoding, Int16Array.of(level));
  return Buffer.alloc(samples, code);
}
