import { frameMs } from '../../codec/frame.ts';
import { type LegEncoding, legAudio } from '../../codec/leg-encoding.ts';
import { encodeSamples } from '../../codec/leg-samples.ts';
import type { DtmfPacket } from '../rtp-sender.ts';

/** The two frequencies of each digit: rows and columns of the keypad. @see ITU-T Q.23 */
const rows = [697, 770, 852, 941];
const columns = [1_209, 1_336, 1_477, 1_633];
const keypad = '123A456B789C*0#D';

/** A sine of full scale in G.711 has 3.17 dBm0 (μ-law; A-law 3.14). @see ITU-T G.711 */
const fullScale = 32_635;
const fullScaleDbm = 3.17;
/**
 * The higher tone is slightly louder, because lines attenuate it more; both are well within the limits of receivers
 * (ITU-T Q.24).
 */
const rowAmplitude = amplitudeOf(-9);
const columnAmplitude = amplitudeOf(-7);
/** Fade, because abrupt edges are audible as clicks. */
const rampMs = 2;

function amplitudeOf(levelDbm: number): number {
  return fullScale * 10 ** ((levelDbm - fullScaleDbm) / 20);
}

/** Returns one frame of a digit's tones, `fromMs` after their start: the in-band equivalent of an event packet. */
export function toneFrame(packet: DtmfPacket, fromMs: number, encoding: LegEncoding): Uint8Array {
  const { sampleRateHz } = legAudio[encoding];
  const samplesPerMs = sampleRateHz / 1_000;
  const rampSamples = rampMs * samplesPerMs;
  const key = keypad.indexOf(packet.digit);
  const row = (2 * Math.PI * (rows[Math.floor(key / 4)] ?? 0)) / sampleRateHz;
  const column = (2 * Math.PI * (columns[key % 4] ?? 0)) / sampleRateHz;
  const endsAt = packet.end ? Math.round(packet.durationMs * samplesPerMs) : Number.POSITIVE_INFINITY;
  const samples = Int16Array.from({ length: frameMs * samplesPerMs }, (_, i) => {
    const at = fromMs * samplesPerMs + i;
    const ramp = Math.max(0, Math.min(1, at / rampSamples, (endsAt - at) / rampSamples));
    return Math.round(ramp * (rowAmplitude * Math.sin(row * at) + columnAmplitude * Math.sin(column * at)));
  });
  return encodeSamples(encoding, samples);
}
