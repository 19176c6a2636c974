import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromWav, tone } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import { decodeG711, encodeG711 } from '../../src/codec/g711.ts';
import { DtmfDetector } from '../../src/dsp/dtmf-detector.ts';
import type { DtmfDigit } from '../../src/dsp/dtmf-digit.ts';

const prompts = '/usr/share/asterisk/sounds/en_US_f_Allison';
const rows = [697, 770, 852, 941];
const columns = [1_209, 1_336, 1_477, 1_633];
const keypad = '123A456B789C*0#D';

interface Press {
  readonly ms?: number;
  readonly rowLevel?: number;
  readonly columnLevel?: number;
  readonly detune?: number;
}

/** Returns the tones of a key between silences, coded as μ-law. */
function press(key: string, { ms = 80, rowLevel = 6_000, columnLevel = 6_000, detune = 1 }: Press = {}): Int16Array {
  const at = keypad.indexOf(key);
  const row = tone(ms, (rows[Math.floor(at / 4)] ?? 0) * detune, rowLevel);
  const column = tone(ms, (columns[at % 4] ?? 0) * detune, columnLevel);
  const silence = new Int16Array(400);
  const pcm = Int16Array.of(...silence, ...row.map((sample, i) => sample + (column[i] ?? 0)), ...silence);
  return decodeG711('pcmu', encodeG711('pcmu', pcm));
}

function heardIn(pcm: Int16Array): DtmfDigit[] {
  const digits: DtmfDigit[] = [];
  const detector = new DtmfDetector((digit) => digits.push(digit));
  for (let at = 0; at < pcm.length; at += 160) detector.push(pcm.subarray(at, at + 160));
  detector.push(new Int16Array(400));
  return digits;
}

function keysIn(pcm: Int16Array): string {
  return heardIn(pcm)
    .map(({ digit }) => digit)
    .join('');
}

describe('the DTMF detector', () => {
  it.each([...keypad])('detects %s once, with its duration', (key) => {
    const digits = heardIn(press(key, { ms: 100 }));
    expect(digits.map(({ digit }) => digit)).toEqual([key]);
    expect(digits[0]?.durationMs).toBeGreaterThan(60);
    expect(digits[0]?.durationMs).toBeLessThan(130);
  });

  it('detects keys in sequence, including repeated keys', () => {
    expect(keysIn(Int16Array.from([...'1155*09'].flatMap((key) => [...press(key, { ms: 60 })])))).toBe('1155*09');
  });

  it.each<[string, Press]>([
    ['short, 50 ms', { ms: 50 }],
    ['quiet, −30 dBm0', { rowLevel: 500, columnLevel: 500 }],
    ['loud', { rowLevel: 15_000, columnLevel: 15_000 }],
    ['1.5 % too high', { detune: 1.015 }],
    ['1.5 % too low', { detune: 0.985 }],
    ['louder in the higher tone', { rowLevel: 5_000, columnLevel: 7_000 }],
    ['louder in the lower tone', { rowLevel: 9_000, columnLevel: 4_500 }],
  ])('detects keys that are %s', (_, parts) => {
    expect([...'159D'].map((key) => keysIn(press(key, parts)))).toEqual([...'159D']);
  });

  it.each<[string, Press]>([
    ['too short', { ms: 15 }],
    ['off frequency', { detune: 1.04 }],
    ['much louder in one of the tones', { rowLevel: 1_000, columnLevel: 9_000 }],
    ['a single tone', { columnLevel: 0 }],
  ])('ignores keys that are %s', (_, parts) => {
    expect([...'159D'].map((key) => keysIn(press(key, parts)))).toEqual(['', '', '', '']);
  });

  it('finds no keys in noise, two-note music, dial tone or ringback', () => {
    let state = 1;
    const noise = Int16Array.from({ length: 80_000 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      return state >> 18;
    });
    const both = (a: number, b: number): Int16Array => {
      const second = tone(2_000, b, 6_000);
      return tone(2_000, a, 6_000).map((sample, i) => sample + (second[i] ?? 0));
    };
    for (const pcm of [noise, both(350, 440), both(440, 480), both(660, 880), both(784, 1_047)]) {
      expect(keysIn(pcm)).toBe('');
    }
  });

  const voices = existsSync(prompts) ? readdirSync(prompts).filter((name) => name.endsWith('.wav')) : [];
  if (voices.length === 0) console.warn('Talk-off is not tested: asterisk-core-sounds-en-wav is not installed.');
  it.runIf(voices.length > 0)('finds no keys in the speech of recorded prompts', () => {
    let seconds = 0;
    const found: string[] = [];
    for (const name of voices) {
      const pcm = fromWav(readFileSync(join(prompts, name)));
      seconds += pcm.length / 8_000;
      const keys = keysIn(decodeG711('pcmu', encodeG711('pcmu', pcm)));
      if (keys !== '') found.push(`${name}: ${keys}`);
    }
    expect(seconds).toBeGreaterThan(300);
    expect(found).toEqual([]);
  });
});
