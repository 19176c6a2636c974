import { describe, expect, it } from 'vitest';
import { decodeG711, encodeG711, type G711Encoding } from '../../src/codec/g711.ts';
import { Ambient } from '../../src/playout/ambient.ts';
import { ambientLoop } from '../../src/playout/ambient-loops.ts';

function ambient(volume: number, encoding: G711Encoding = 'pcmu', sound: 'office' | 'cafe' = 'office'): Ambient {
  const made = Ambient.of({ sound, volume }, encoding);
  if (made === null) throw new Error('expected an ambient sound');
  return made;
}

function rms(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** Returns a frame of a 400 Hz tone that stands for a voice. */
function voice(frame: number, amplitude: number): Int16Array {
  return Int16Array.from({ length: 160 }, (_, i) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * 400 * (frame * 160 + i)) / 8_000)),
  );
}

describe('ambient sound', () => {
  it('is null when none is configured', () => {
    expect(Ambient.of(undefined, 'pcmu')).toBeNull();
    expect(Ambient.of({ sound: 'none', volume: 1 }, 'pcmu')).toBeNull();
    expect(Ambient.of({ sound: 'office', volume: 0 }, 'pcmu')).toBeNull();
  });

  it.each(['pcmu', 'pcma'] as const)('plays at its volume while the agent is silent (%s)', (encoding) => {
    const room = ambient(0.1, encoding);
    const heard = Array.from({ length: 400 }, () => decodeG711(encoding, room.mix(null).slice()));
    const whole = Int16Array.from(heard.flatMap((frame) => [...frame]));
    expect(Math.abs(rms(whole) / 520 - 1)).toBeLessThan(0.03);
  });

  it.each(['pcmu', 'pcma'] as const)('continues under and after the voice without a gap (%s)', (encoding) => {
    const room = ambient(0.2, encoding);
    const loop = ambientLoop('office');
    const speaks = (frame: number): boolean => frame % 20 >= 7 && frame % 20 < 15;
    for (let frame = 0; frame < 500; frame++) {
      const said = voice(frame, 6_000);
      const codes = speaks(frame) ? encodeG711(encoding, said) : null;
      const heard = decodeG711(encoding, room.mix(codes));
      const left = heard.map((sample, i) => {
        const rest = sample - (codes === null ? 0 : (decodeG711(encoding, codes)[i] ?? 0));
        return rest - 0.2 * (loop[(frame * 160 + i) % loop.length] ?? 0);
      });
      // The remainder is quantization noise, a fraction of the samples.
      expect(rms(left)).toBeLessThan(0.02 * rms(heard) + 10);
    }
  });

  it('saturates instead of wrapping when voice and ambient sound are too loud together', () => {
    const room = ambient(1, 'pcmu', 'cafe');
    const faults: string[] = [];
    for (let frame = 0; frame < 400; frame++) {
      const said = new Int16Array(160).fill(frame % 2 === 0 ? 32_000 : -32_000);
      const heard = decodeG711('pcmu', room.mix(encodeG711('pcmu', said)));
      for (const [i, sample] of heard.entries()) {
        const sum = (said[i] ?? 0) + (ambientLoop('cafe')[frame * 160 + i] ?? 0);
        if (Math.abs(sum) >= 32_767 && sample * Math.sign(sum) < 31_000) faults.push(`${sum} became ${sample}`);
      }
    }
    expect(faults).toEqual([]);
  });
});
