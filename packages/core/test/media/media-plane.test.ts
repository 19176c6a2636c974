import { defaultSpeechConfig, type MediaLeg, Ticker } from '@va/core';
import { callerFrame, levelVad, silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type MediaEvent, MediaPlane } from '../../src/media/media-plane.ts';
import { lateClock } from '../support/late-clock.ts';

/** A media plane on a clock that the test moves; what it records and tells is kept. */
function mediaPlane(): {
  wakeAt: (nowMs: number) => void;
  hear: (frame: Uint8Array) => void;
  recordedFrames: () => number;
  events: MediaEvent[];
  sent: () => number;
} {
  const { clock, wakeAt } = lateClock();
  const events: MediaEvent[] = [];
  let listener: (frame: Uint8Array | null) => void = () => {};
  let recorded = 0;
  let sent = 0;
  const leg: MediaLeg = {
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
    receiving: true,
    onFrame(onFrame) {
      listener = onFrame;
    },
    onDtmf() {},
    send() {
      sent += 1;
    },
  };
  const media = new MediaPlane({
    leg,
    encoding: 'pcmu',
    clock,
    ticker: new Ticker(clock),
    logger: silentLogger,
    detector: levelVad(),
    vad: { ...defaultSpeechConfig.vad, min_silence_ms: 100 },
    recording: {
      write(samples) {
        recorded += samples.length / 320;
      },
      close: async () => {},
    },
    mediaTimeout: { initialMs: 30_000, generalMs: 15_000 },
    onEvent: (event) => events.push(event),
    onAudio: () => {},
  });
  media.start();
  return { wakeAt, events, hear: (frame) => listener(frame), recordedFrames: () => recorded, sent: () => sent };
}

describe('MediaPlane, when the event loop was blocked', () => {
  it('records as long as the call lasted, though the ticks that were left out sent nothing', () => {
    const plane = mediaPlane();
    for (let nowMs = 20; nowMs <= 1_000; nowMs += 20) plane.wakeAt(nowMs);
    expect(plane.recordedFrames()).toBe(50);
    plane.wakeAt(4_000);
    expect(plane.sent()).toBe(60);
    expect(Math.abs(plane.recordedFrames() - 200)).toBeLessThanOrEqual(10);
  });

  it('does not take the frames that wait in the socket for silence in the middle of speech', () => {
    const plane = mediaPlane();
    for (let nowMs = 20; nowMs <= 400; nowMs += 20) {
      plane.hear(callerFrame(true));
      plane.wakeAt(nowMs);
    }
    plane.wakeAt(600);
    for (let frame = 0; frame < 10; frame++) plane.hear(callerFrame(true));
    plane.wakeAt(620);
    expect(plane.events.map(({ type }) => type)).toEqual(['speech-started']);
  });

  it('does take missing frames for silence while it runs on time', () => {
    const plane = mediaPlane();
    for (let nowMs = 20; nowMs <= 400; nowMs += 20) {
      plane.hear(callerFrame(true));
      plane.wakeAt(nowMs);
    }
    for (let nowMs = 420; nowMs <= 800; nowMs += 20) plane.wakeAt(nowMs);
    expect(plane.events.map(({ type }) => type)).toEqual(['speech-started', 'speech-paused', 'speech-ended']);
  });
});
