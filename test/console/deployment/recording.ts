import { wavHeader } from '../../../packages/core/src/node/wav-header.ts';
import { seededRandom } from './random.ts';

/** A part of a conversation, in seconds from its start. */
export interface Spoken {
  readonly by: 'caller' | 'agent';
  readonly from: number;
  readonly to: number;
}

const rateHz = 8_000;
/** Peaks of speech, of 32,767; the noise of the line. */
const level = 15_000;
const noise = 90;

/** Returns a stereo recording whose sides sound, and look, like speech: words of syllables with pauses between them. */
export function speechRecording(durationSeconds: number, parts: readonly Spoken[]): Uint8Array {
  const random = seededRandom(7);
  const samples = new Int16Array(durationSeconds * rateHz * 2).map(() => (random() - 0.5) * noise);
  for (const { by, from, to } of parts) {
    const channel = by === 'caller' ? 0 : 1;
    const pitchHz = by === 'caller' ? 118 : 205;
    let at = from;
    while (at < to - 0.1) {
      const emphasis = 0.25 + random() * random() * 0.75;
      const syllables = 1 + Math.floor(random() * 4);
      for (let each = 0; each < syllables && at < to - 0.1; each += 1) {
        const seconds = Math.min(0.1 + random() * 0.14, to - at);
        addSyllable(samples, {
          channel,
          at,
          seconds,
          pitchHz: pitchHz * (0.9 + random() * 0.25),
          loud: emphasis * (0.5 + random() * 0.5),
        });
        at += seconds;
      }
      at += random() < 0.2 ? 0.3 : 0.05;
    }
  }
  return Buffer.concat([wavHeader(samples.byteLength), Buffer.from(samples.buffer)]);
}

interface Syllable {
  readonly channel: 0 | 1;
  readonly at: number;
  readonly seconds: number;
  readonly pitchHz: number;
  readonly loud: number;
}

/** A voice with its harmonics, which swells and fades. */
function addSyllable(samples: Int16Array, { channel, at, seconds, pitchHz, loud }: Syllable): void {
  const start = Math.floor(at * rateHz);
  const length = Math.floor(seconds * rateHz);
  for (let index = 0; index < length; index += 1) {
    const phase = (2 * Math.PI * pitchHz * index) / rateHz;
    const wave =
      (Math.sin(phase) + 0.6 * Math.sin(2 * phase) + 0.4 * Math.sin(5 * phase) + 0.2 * Math.sin(9 * phase)) / 2.2;
    const place = (start + index) * 2 + channel;
    if (place < samples.length) samples[place] = wave * Math.sin((Math.PI * index) / length) * loud * level;
  }
}
