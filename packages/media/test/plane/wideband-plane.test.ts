import { defaultSpeechConfig } from '@va/core/adapter';
import { tone, toneLevel } from '@va/test-servers/audio';
import { levelVad, silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { decodeSamples, encodeSamples } from '../../src/codec/leg-samples.ts';
import type { MediaEvent } from '../../src/plane/media-control.ts';
import { MediaPlane } from '../../src/plane/media-plane.ts';
import { Ticker } from '../../src/plane/ticker.ts';
import type { BackgroundSound } from '../../src/playout/background-sound.ts';
import type { RecordingSink } from '../../src/recording/recording-sink.ts';
import { StereoRecording } from '../../src/recording/stereo-recording.ts';
import { VadBatcher } from '../../src/vad/vad-batcher.ts';
import { lateClock } from '../support/late-clock.ts';

/** A sink that stores the samples and the rate that was set. */
class Recorded implements RecordingSink {
  rateHz = 8_000;
  readonly samples: number[] = [];

  setSampleRate(sampleRateHz: number): void {
    this.rateHz = sampleRateHz;
  }

  write(samples: Int16Array): void {
    this.samples.push(...samples);
  }

  async close(): Promise<void> {}

  side(offset: 0 | 1): Int16Array {
    return Int16Array.from(this.samples.filter((_, i) => i % 2 === offset));
  }
}

/** Runs a call of 16 kHz for a second, in which both sides send a tone: the caller's begins after 200 ms. */
async function call(sink: RecordingSink, ambient?: BackgroundSound): Promise<CallOutcome> {
  const { clock, wakeAt, passTo } = lateClock();
  const events: MediaEvent[] = [];
  const sent: number[] = [];
  const recognized: number[] = [];
  let listener: (frame: Uint8Array | null) => void = () => {};
  const media = new MediaPlane({
    leg: {
      receiving: true,
      onFrame: (onFrame) => {
        listener = onFrame;
      },
      onDtmf: () => {},
      send: (frame) => sent.push(...decodeSamples('pcm16', frame)),
    },
    encoding: 'pcm16',
    clock,
    ticker: new Ticker(clock),
    logger: silentLogger,
    judge: new VadBatcher(levelVad(), clock),
    ambient,
    vad: { ...defaultSpeechConfig.vad, min_silence_ms: 100 },
    recording: new StereoRecording('pcm16', sink),
    mediaTimeout: { initialMs: 60_000, generalMs: 60_000 },
    onAudio: (frame) => recognized.push(...decodeSamples('pcm16', frame)),
    onEvent: (event) => events.push(event),
  });
  const spoken = encodeSamples('pcm16', tone(500, 6_000, 8_000, 16_000));
  const said = encodeSamples('pcm16', tone(510, 7_000, 8_000, 16_000));
  media.start();
  media.open(1);
  media.play(1, said.subarray(0, 1_001));
  media.play(1, said.subarray(1_001));
  media.finish(1);
  for (let n = 0; n < 50; n++) {
    passTo(n * 20 + 7);
    const at = (n - 10) * 640;
    listener(at >= 0 && at < spoken.length ? spoken.subarray(at, at + 640) : new Uint8Array(640));
    wakeAt((n + 1) * 20);
  }
  await media.stop();
  return { events, sent: Int16Array.from(sent), recognized: Int16Array.from(recognized) };
}

interface CallOutcome {
  readonly events: readonly MediaEvent[];
  readonly sent: Int16Array;
  readonly recognized: Int16Array;
}

describe('the media plane of a leg of 16 kHz', () => {
  it('passes the whole band to the recognizer, the phone and the recording', async () => {
    const sink = new Recorded();
    const { sent, recognized } = await call(sink);
    expect(toneLevel(recognized.subarray(3_200, 11_200), 6_000, 16_000)).toBeCloseTo(8_000, -1);
    expect(toneLevel(sent.subarray(0, 8_000), 7_000, 16_000)).toBeCloseTo(8_000, -1);
    expect(sink.rateHz).toBe(16_000);
    expect(toneLevel(sink.side(0).subarray(3_520, 11_200), 6_000, 16_000)).toBeGreaterThan(7_900);
    expect(toneLevel(sink.side(1).subarray(640, 8_000), 7_000, 16_000)).toBeGreaterThan(7_900);
    expect(sink.samples.length).toBe(2 * 50 * 320);
  });

  it('reports what was played in milliseconds, and pads the last frame with silence', async () => {
    const { events, sent } = await call(new Recorded());
    expect(events).toContainEqual({ type: 'playout', event: { type: 'finished', utterance: 1, playedMs: 510 } });
    const last = sent.findLastIndex((sample) => sample !== 0);
    expect(Math.ceil((last + 1) / 16)).toBe(510);
  });

  it('detects no speech in a tone above the telephone band', async () => {
    const { events } = await call(new Recorded());
    // A tone of 6 kHz is not in the telephone band, and the level detector thus does not find it.
    expect(events.filter(({ type }) => type === 'speech-started')).toEqual([]);
    expect(events[0]).toEqual({ type: 'media-started' });
  });

  it('converts the recording for a sink that knows 8 kHz only', async () => {
    const recorded = new Recorded();
    await call({ write: (samples) => recorded.write(samples), close: async () => {} });
    expect(recorded.samples.length).toBe(2 * 50 * 160);
    // Measures the middle of the tone, because its abrupt start and end contain other frequencies.
    expect(Math.max(...recorded.side(0).subarray(2_400, 4_800).map(Math.abs))).toBeLessThan(300);
  });

  it('mixes background sounds at 16 kHz', async () => {
    const samples = tone(1_000, 5_000, 4_000, 16_000);
    const { sent } = await call(new Recorded(), { sound: 'none', samples, volume: 0.5 });
    expect(toneLevel(sent.subarray(9_600), 5_000, 16_000)).toBeCloseTo(2_000, -1);
    const { sent: withOffice } = await call(new Recorded(), { sound: 'office', volume: 1 });
    expect(withOffice.subarray(9_600).some((sample) => Math.abs(sample) > 500)).toBe(true);
  });
});
