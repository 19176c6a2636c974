import { describe, expect, it } from 'vitest';
import type { AudioFormat } from '../../src/codec/audio-format.ts';
import { type LegEncoding, legAudio } from '../../src/codec/leg-encoding.ts';
import type { DtmfDigit } from '../../src/dsp/dtmf-digit.ts';
import type { AudioLeg } from '../../src/plane/audio-leg.ts';
import { forwardFrames } from '../../src/plane/forward-frames.ts';

class FakeLeg implements AudioLeg {
  readonly format: AudioFormat;
  readonly receiving = true;
  readonly sent: Uint8Array[] = [];
  readonly dialed: [string, number][] = [];
  emitFrame: (frame: Uint8Array | null) => void = () => {};
  emitDtmf: (digit: DtmfDigit) => void = () => {};

  constructor(encoding: LegEncoding, sampleRateHz: number = legAudio[encoding].sampleRateHz) {
    this.format = { encoding, sampleRateHz };
  }
  onFrame(listener: (frame: Uint8Array | null) => void): void {
    this.emitFrame = listener;
  }
  onDtmf(listener: (digit: DtmfDigit) => void): void {
    this.emitDtmf = listener;
  }
  send(frame: Uint8Array): void {
    this.sent.push(frame.slice());
  }
  sendDtmf(digits: string, toneMs: number): void {
    this.dialed.push([digits, toneMs]);
  }
}

const encodings = ['pcmu', 'pcma', 'pcm16'] as const;

describe('forwardFrames', () => {
  it.each(encodings.flatMap((from) => encodings.map((to) => [from, to] as const)))('converts %s to %s', (from, to) => {
    const [source, target] = [new FakeLeg(from), new FakeLeg(to)];
    let frames = 0;
    forwardFrames(source, target, () => {
      frames += 1;
    });
    const silent = new Uint8Array(legAudio[from].frameBytes).fill(legAudio[from].silence);
    source.emitFrame(silent);
    source.emitFrame(null);
    source.emitFrame(silent);
    expect(target.sent.map((frame) => frame.length)).toEqual(new Array(3).fill(legAudio[to].frameBytes));
    expect(target.sent[1]).toEqual(new Uint8Array(legAudio[to].frameBytes).fill(legAudio[to].silence));
    expect(frames).toBe(3);
  });

  it('lengthens digits to the 40 ms that every receiver recognizes', () => {
    const [source, target] = [new FakeLeg('pcmu'), new FakeLeg('pcmu')];
    forwardFrames(source, target);
    source.emitDtmf({ digit: '5', durationMs: 0 });
    source.emitDtmf({ digit: '#', durationMs: 250 });
    expect(target.dialed).toEqual([
      ['5', 40],
      ['#', 250],
    ]);
  });

  it('drops digits for a leg that cannot send them', () => {
    const source = new FakeLeg('pcmu');
    const target: AudioLeg = Object.assign(new FakeLeg('pcmu'), { sendDtmf: undefined });
    forwardFrames(source, target);
    expect(() => source.emitDtmf({ digit: '1', durationMs: 100 })).not.toThrow();
  });

  it('throws for a leg with another rate than its encoding has', () => {
    expect(() => forwardFrames(new FakeLeg('pcmu'), new FakeLeg('pcm16', 24_000))).toThrow(/24000 Hz/);
  });
});
