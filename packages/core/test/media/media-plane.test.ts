import { type AmbientSettings, decodeG711, defaultSpeechConfig, type MediaLeg, Ticker } from '@va/core';
import { callerFrame, levelVad, silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type MediaEvent, MediaPlane } from '../../src/media/media-plane.ts';
import { SpeechJudge } from '../../src/media/speech-judge.ts';
import { lateClock } from '../support/late-clock.ts';

/** A media plane on a clock that the test moves; what it records and tells is kept. */
function mediaPlane(ambient?: AmbientSettings): {
  media: MediaPlane;
  wakeAt: (nowMs: number) => void;
  hear: (frame: Uint8Array) => void;
  recordedFrames: () => number;
  events: MediaEvent[];
  sent: () => number;
  frames: Uint8Array[];
} {
  const { clock, wakeAt } = lateClock();
  const events: MediaEvent[] = [];
  let listener: (frame: Uint8Array | null) => void = () => {};
  let recorded = 0;
  const frames: Uint8Array[] = [];
  const leg: MediaLeg = {
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
    receiving: true,
    onFrame(onFrame) {
      listener = onFrame;
    },
    onDtmf() {},
    send(frame) {
      frames.push(frame.slice());
    },
  };
  const media = new MediaPlane({
    leg,
    encoding: 'pcmu',
    clock,
    ticker: new Ticker(clock),
    logger: silentLogger,
    judge: new SpeechJudge(levelVad(), clock),
    ambient,
    vad: { ...defaultSpeechConfig.vad, min_silence_ms: 100 },
    recording: {
      write() {
        recorded += 1;
      },
      writeSilence() {
        recorded += 1;
      },
    },
    mediaTimeout: { initialMs: 30_000, generalMs: 15_000 },
    onEvent: (event) => events.push(event),
    onAudio: () => {},
  });
  media.start();
  return {
    ...{ media, wakeAt, events, frames },
    hear: (frame) => listener(frame),
    recordedFrames: () => recorded,
    sent: () => frames.length,
  };
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
    expect(plane.events.map(({ type }) => type)).toEqual(['media-started', 'speech-started']);
  });

  it('does take missing frames for silence while it runs on time', () => {
    const plane = mediaPlane();
    for (let nowMs = 20; nowMs <= 400; nowMs += 20) {
      plane.hear(callerFrame(true));
      plane.wakeAt(nowMs);
    }
    for (let nowMs = 420; nowMs <= 800; nowMs += 20) plane.wakeAt(nowMs);
    expect(plane.events.map(({ type }) => type)).toEqual([
      'media-started',
      'speech-started',
      'speech-paused',
      'speech-ended',
    ]);
  });
});

describe('MediaPlane, when the agent pauses', () => {
  const audio = Uint8Array.from({ length: 160 * 10 }, (_, i) => i % 200);
  const silence = Buffer.alloc(160, 0xff);

  function paused(ambient?: AmbientSettings): ReturnType<typeof mediaPlane> {
    const plane = mediaPlane(ambient);
    plane.media.open(1);
    plane.media.play(1, audio.subarray(0, 800));
    for (let nowMs = 20; nowMs <= 60; nowMs += 20) plane.wakeAt(nowMs);
    plane.media.pause();
    plane.media.play(1, audio.subarray(800));
    plane.media.finish(1);
    for (let nowMs = 80; nowMs <= 200; nowMs += 20) plane.wakeAt(nowMs);
    return plane;
  }

  it('sends silence, and then the rest from the very next sample', () => {
    const { media, frames, wakeAt, events } = paused();
    media.resume();
    for (let nowMs = 220; nowMs <= 360; nowMs += 20) wakeAt(nowMs);
    expect(frames.slice(3, 10).map((frame) => Buffer.from(frame))).toEqual(Array.from({ length: 7 }, () => silence));
    expect(Buffer.concat([...frames.slice(0, 3), ...frames.slice(10, 17)])).toEqual(Buffer.from(audio));
    expect(events.map((event) => (event.type === 'playout' ? event.event.type : event.type))).toEqual([
      'started',
      'finished',
    ]);
  });

  it('tells when it is cleared what was played before the pause', () => {
    const { media, events } = paused();
    media.clear();
    expect(events.at(-1)).toEqual({ type: 'playout-cleared', cut: [{ utterance: 1, playedMs: 60 }] });
  });

  it('lets the ambient sound go on through pause, clearing and silence', () => {
    const { media, frames, wakeAt } = paused({ sound: 'office', volume: 0.5 });
    media.clear();
    for (let nowMs = 220; nowMs <= 400; nowMs += 20) wakeAt(nowMs);
    const loud = frames.map((frame) => decodeG711('pcmu', frame).some((sample) => Math.abs(sample) > 300));
    expect(loud).toHaveLength(20);
    expect(loud).not.toContain(false);
  });
});

describe('MediaPlane, of what it is to play', () => {
  it('keeps a copy: a provider may use its buffer again', () => {
    const plane = mediaPlane();
    const buffer = new Uint8Array(160).fill(1);
    plane.media.open(1);
    plane.media.play(1, buffer);
    buffer.fill(9);
    plane.wakeAt(20);
    expect(plane.frames.at(-1)).toEqual(new Uint8Array(160).fill(1));
  });
});
