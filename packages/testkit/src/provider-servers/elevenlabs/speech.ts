import { msPerCharacter, type SpokenFormat } from '../spoken-audio.ts';

/** Parses an `output_format`; undefined if the service does not support it. */
export function formatOf(name: string | null): SpokenFormat | undefined {
  if (name === null || name === 'mp3_44100_128') return { encoding: 'mp3', sampleRateHz: 44_100 };
  if (name === 'ulaw_8000') return { encoding: 'pcmu', sampleRateHz: 8_000 };
  if (name === 'alaw_8000') return { encoding: 'pcma', sampleRateHz: 8_000 };
  const rate = /^pcm_(8000|16000|22050|24000|32000|44100|48000)$/.exec(name ?? '')?.[1];
  return rate === undefined ? undefined : { encoding: 'pcm16', sampleRateHz: Number(rate) };
}

/** Returns the alignment of a text. Its times count from the first sample of the audio in the same message. */
export function alignmentOf(text: string): object {
  const chars = [...text];
  return {
    chars,
    charStartTimesMs: chars.map((_, at) => at * msPerCharacter),
    charDurationsMs: chars.map(() => msPerCharacter),
  };
}
