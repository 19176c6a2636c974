import { defaultSpeechConfig } from '@va/core/adapter';
import { callerFrame, levelVad, silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { decodeG711 } from '../../src/codec/g711.ts';
import type { MediaEvent } from '../../src/plane/media-control.ts';
import { MediaPlane } from '../../src/plane/media-plane.ts';
import { Ticker } from '../../src/plane/ticker.ts';
import type { BackgroundSound } from '../../src/playout/background-sound.ts';
import { VadBatcher } from '../../src/vad/vad-batcher.ts';
import { lateClock } from '../support/late-clock.ts';

/** Creates a media plane on a clock that the test moves; collects its recording and events. */
function mediaPlane(
  ambient?: BackgroundSound,
  hold?: BackgroundSound,
): {
  media: MediaPlane;
  wakeAt: (nowMs: number) => void;
  hear: (frame: Uint8Array) => void;
  recordedFrames: () => number;
  events: MediaEvent[];
  /** The first code of each frame that the recognizer received. */
  heard: number[];
  leg: { receiving: boolean; sending: boolean; aliveAtMs: number };
  sent: () => number;
  frames: Uint8Array[];
} {
  const { clock, wakeAt } = lateClock();
  const events: MediaEvent[] = [];
  let listener: (frame: Uint8Array | null) => void = () => {};
  let recorded = 0;
  const frames: Uint8Array[] = [];
  const heard: number[] = [];
  const leg = {
    format: { encoding: 'pcmu' as const, sampleRateHz: 8_000 as const },
    receiving: true,
    sending: true,
    aliveAtMs: 0,
    onFrame(onFrame: (frame: Uint8Array | null) => void) {
      listener = onFrame;
    },
    onDtmf() {},
    send(frame: Uint8Array) {
      frames.push(frame.slice());
    },
  };
  const media = new MediaPlane({
    leg,
    encoding: 'pcmu',
    clock,
    ticker: new Ticker(clock),
    logger: silentLogger,
    judge: new VadBatcher(levelVad(), clock),
    ambient,
    hold,
    vad: { ...defaultSpeechConfig.vad, min_silence_ms: 100 },
    recording: {
      write() {
        recorded += 1;
      },
    },
    mediaTimeout: { initialMs: 30_000, generalMs: 15_000 },
    onEvent: (event) => events.push(event),
    onAudio: (codes) => heard.push(codes[0] ?? -1),
  });
  media.start();
  return {
    ...{ media, wakeAt, events, frames, leg, heard },
    hear: (frame) => listener(frame),
    recordedFrames: () => recorded,
    sent: () => frames.length,
  };
}

describe('music on hold', () => {
  const samples = new Int16Array(320).fill(8_000);

  it.each([
    ['silence', undefined],
    ['the background sound', { sound: 'none' as const, samples: new Int16Array(160).fill(-4_000), volume: 1 }],
  ])('replaces %s while the caller waits', (_, ambient) => {
    const { media, wakeAt, frames } = mediaPlane(ambient, { sound: 'none', samples, volume: 0.5 });
    const level = (): number => decodeG711('pcmu', frames.at(-1) ?? new Uint8Array(160))[80] ?? 0;
    wakeAt(20);
    const before = level();
    media.setHold(true);
    wakeAt(40);
    expect(Math.abs(level() - 4_000)).toBeLessThan(200);
    wakeAt(60);
    expect(Math.abs(level() - 4_000)).toBeLessThan(200);
    media.setHold(false);
    wakeAt(80);
    expect(level()).toBe(before);
  });

  it('is silent when none is configured', () => {
    const { media, wakeAt, frames } = mediaPlane();
    media.setHold(true);
    wakeAt(20);
    expect(frames.at(-1)?.every((code) => code === 0xff)).toBe(true);
  });
});

describe('MediaPlane after a blocked event loop', () => {
  it('records the whole duration of the call, including skipped ticks that sent nothing', async () => {
    const plane = mediaPlane();
    for (let nowMs = 20; nowMs <= 1_000; nowMs += 20) plane.wakeAt(nowMs);
    plane.wakeAt(4_000);
    expect(plane.sent()).toBe(60);
    await plane.media.stop();
    expect(plane.recordedFrames()).toBe(200);
  });

  it('does not treat frames waiting in the socket as silence within speech', () => {
    const plane = mediaPlane();
    for (let nowMs = 20; nowMs <= 400; nowMs += 20) {
      plane.hear(callerFrame(true));
      plane.wakeAt(nowMs);
    }
    plane.wakeAt(600);
    for (let frame = 0; frame < 10; frame++) plane.hear(callerFrame(true));
    plane.wakeAt(620);
    expect(plane.events.map(({ type }) => type)).toEqual(['media-started', 'speech-suspected', 'speech-started']);
  });

  it('treats missing frames as silence while it runs on time', () => {
    const plane = mediaPlane();
    for (let nowMs = 20; nowMs <= 400; nowMs += 20) {
      plane.hear(callerFrame(true));
      plane.wakeAt(nowMs);
    }
    for (let nowMs = 420; nowMs <= 800; nowMs += 20) plane.wakeAt(nowMs);
    expect(plane.events.map(({ type }) => type)).toEqual([
      'media-started',
      'speech-suspected',
      'speech-started',
      'speech-paused',
      'speech-ended',
    ]);
  });
});

describe('MediaPlane while the caller may be speaking over the agent', () => {
  const loud = new Uint8Array(160 * 20).fill(0x10);
  const levelsOf = (frames: readonly Uint8Array[]): number[] =>
    frames.map((frame) => Math.abs(decodeG711('pcmu', frame.subarray(159))[0] ?? 0));

  it('lowers the voice within 40 ms, counts it as played, and raises it again', () => {
    const plane = mediaPlane();
    plane.media.open(1);
    plane.media.play(1, loud);
    for (let nowMs = 20; nowMs <= 100; nowMs += 20) plane.wakeAt(nowMs);
    plane.media.setLevel(-12);
    for (let nowMs = 120; nowMs <= 200; nowMs += 20) plane.wakeAt(nowMs);
    plane.media.setLevel(0);
    for (let nowMs = 220; nowMs <= 300; nowMs += 20) plane.wakeAt(nowMs);
    const [full = 0, ...levels] = levelsOf(plane.frames).slice(-15);
    const shares = levels.map((level) => level / full);
    expect(shares.slice(0, 4)).toEqual([1, 1, 1, 1]);
    expect(shares[4]).toBeCloseTo(0.5, 1);
    for (const share of shares.slice(5, 9)) expect(share).toBeCloseTo(0.25, 1);
    expect(shares.at(-1)).toBe(1);
    plane.media.clear();
    expect(plane.events.at(-1)).toEqual({ type: 'playout-cleared', cut: [{ utterance: 1, playedMs: 300 }] });
  });

  it('begins the next utterance at full level after a clear', () => {
    const plane = mediaPlane();
    plane.media.setLevel(-12);
    plane.media.open(1);
    plane.media.play(1, loud);
    for (let nowMs = 20; nowMs <= 100; nowMs += 20) plane.wakeAt(nowMs);
    plane.media.clear();
    plane.media.open(2);
    plane.media.play(2, loud);
    plane.wakeAt(120);
    expect(plane.frames.at(-1)).toEqual(loud.subarray(0, 160));
  });
});

describe('MediaPlane while the agent pauses', () => {
  const audio = Uint8Array.from({ length: 160 * 10 }, (_, i) => i % 200);
  const silence = Buffer.alloc(160, 0xff);

  function paused(ambient?: BackgroundSound): ReturnType<typeof mediaPlane> {
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

  it('sends silence, then continues from the next sample', () => {
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

  it('reports the audio played before the pause when it is cleared', () => {
    const { media, events } = paused();
    media.clear();
    expect(events.at(-1)).toEqual({ type: 'playout-cleared', cut: [{ utterance: 1, playedMs: 60 }] });
  });

  it('continues the ambient sound during a pause, after clearing and in silence', () => {
    const { media, frames, wakeAt } = paused({ sound: 'office', volume: 0.5 });
    media.clear();
    for (let nowMs = 220; nowMs <= 400; nowMs += 20) wakeAt(nowMs);
    const loud = frames.map((frame) => decodeG711('pcmu', frame).some((sample) => Math.abs(sample) > 300));
    expect(loud).toHaveLength(20);
    expect(loud).not.toContain(false);
  });
});

describe('MediaPlane.play', () => {
  it('copies the audio, so that a provider can reuse its buffer', () => {
    const plane = mediaPlane();
    const buffer = new Uint8Array(160).fill(1);
    plane.media.open(1);
    plane.media.play(1, buffer);
    buffer.fill(9);
    plane.wakeAt(20);
    expect(plane.frames.at(-1)).toEqual(new Uint8Array(160).fill(1));
  });
});

describe('MediaPlane while the remote side holds the call', () => {
  const audio = new Uint8Array(160 * 100).fill(7);
  const music = new Uint8Array(160).fill(0x10);

  it.each([
    ['sends music', true],
    ['sends nothing', false],
  ])('waits, then continues from the next sample (the remote side %s)', (_, receiving) => {
    const plane = mediaPlane();
    plane.media.open(1);
    plane.media.play(
      1,
      Uint8Array.from({ length: 160 * 100 }, (_, i) => (i / 160) % 100),
    );
    plane.media.finish(1);
    for (let nowMs = 20; nowMs <= 200; nowMs += 20) plane.wakeAt(nowMs);
    Object.assign(plane.leg, { sending: false, receiving });
    for (let nowMs = 220; nowMs <= 3_200; nowMs += 20) {
      if (receiving) plane.hear(music);
      plane.wakeAt(nowMs);
    }
    Object.assign(plane.leg, { sending: true, receiving: true });
    for (let nowMs = 3_220; nowMs <= 6_000; nowMs += 20) plane.wakeAt(nowMs);
    const spoken = plane.frames.map((frame) => frame[0] ?? -1);
    expect(spoken.slice(0, 10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(new Set(spoken.slice(10, 160))).toEqual(new Set([0xff]));
    expect(spoken.slice(160, 250)).toEqual(Array.from({ length: 90 }, (_, i) => i + 10));
    expect(plane.events.filter(({ type }) => type === 'held' || type === 'resumed')).toHaveLength(2);
  });

  it('counts no audio as played', () => {
    const plane = mediaPlane();
    plane.leg.sending = false;
    plane.wakeAt(20);
    plane.media.open(1);
    plane.media.play(1, audio);
    plane.media.finish(1);
    for (let nowMs = 40; nowMs <= 5_000; nowMs += 20) plane.wakeAt(nowMs);
    plane.media.clear();
    expect(plane.events).toEqual([{ type: 'held' }, { type: 'playout-cleared', cut: [{ utterance: 1, playedMs: 0 }] }]);
  });

  it('passes the hold music to neither the detector nor the recognizer, and ends the current speech', () => {
    const plane = mediaPlane();
    for (let nowMs = 20; nowMs <= 400; nowMs += 20) {
      plane.hear(callerFrame(true));
      plane.wakeAt(nowMs);
    }
    const before = plane.heard.length;
    plane.leg.sending = false;
    for (let nowMs = 420; nowMs <= 5_000; nowMs += 20) {
      plane.hear(callerFrame(true));
      plane.wakeAt(nowMs);
    }
    expect(plane.events.map(({ type }) => type)).toEqual([
      'media-started',
      'speech-suspected',
      'speech-started',
      'held',
      'speech-paused',
      'speech-ended',
    ]);
    expect(new Set(plane.heard.slice(before))).toEqual(new Set([0xff]));
  });
});

describe('MediaPlane without audio from the remote side', () => {
  function silentFor(ms: number, aliveUntilMs: number): string[] {
    const plane = mediaPlane();
    plane.hear(callerFrame(false));
    for (let nowMs = 20; nowMs <= ms; nowMs += 20) {
      if (nowMs <= aliveUntilMs && nowMs % 5_000 === 0) plane.leg.aliveAtMs = nowMs;
      plane.wakeAt(nowMs);
    }
    return plane.events.map(({ type }) => type);
  }

  it('emits media-lost after the timeout', () => {
    expect(silentFor(15_100, 0)).toContain('media-lost');
  });

  it('waits while RTCP reports arrive, as from phones with silence suppression', () => {
    expect(silentFor(60_000, 60_000)).not.toContain('media-lost');
    expect(silentFor(45_000, 30_000)).toContain('media-lost');
  });
});
