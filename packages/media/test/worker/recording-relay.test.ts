import { describe, expect, it } from 'vitest';
import { decodeG711 } from '../../src/codec/g711.ts';
import { StereoRecording } from '../../src/recording/stereo-recording.ts';
import { RecordingRelay, RecordingReplay } from '../../src/worker/recording-relay.ts';

const frame = (code: number): Uint8Array => new Uint8Array(160).fill(code);
const sampleOf = (code: number): number | undefined => decodeG711('pcma', Uint8Array.of(code))[0];

describe('a recording written by another thread', () => {
  it('has the caller on the left and the agent on the right, with all frames in order', () => {
    const left: (number | undefined)[] = [];
    const right: (number | undefined)[] = [];
    let samples = 0;
    const writer = new StereoRecording('pcma', {
      write(stereo) {
        left.push(stereo[0]);
        right.push(stereo[319]);
        samples += stereo.length;
      },
      close: async () => {},
    });
    const told: number[] = [];
    const replay = new RecordingReplay('pcmu', writer);
    const relay = new RecordingRelay('pcmu', 25, (news) => {
      told.push(news.count);
      replay.replay(news);
    });
    for (let n = 0; n < 60; n++) relay.write(frame(n), frame(255 - n));
    relay.flush();
    relay.flush();

    expect(told).toEqual([25, 25, 10]);
    expect(samples).toBe(60 * 320);
    expect(left).toEqual(Array.from({ length: 60 }, (_, n) => sampleOf(n)));
    expect(right).toEqual(Array.from({ length: 60 }, (_, n) => sampleOf(255 - n)));
  });
});
