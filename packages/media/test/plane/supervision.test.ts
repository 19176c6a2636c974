import { defaultSpeechConfig } from '@va/core/adapter';
import { levelVad, silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { FrameMixer } from '../../src/codec/frame-mixer.ts';
import { decodeG711, encodeG711 } from '../../src/codec/g711.ts';
import { type Levels, silentDb } from '../../src/plane/level-meter.ts';
import { MediaPlane } from '../../src/plane/media-plane.ts';
import { Ticker } from '../../src/plane/ticker.ts';
import { VadBatcher } from '../../src/vad/vad-batcher.ts';
import { lateClock } from '../support/late-clock.ts';

const silence = 0xff;

/** A media plane whose clock the test advances. Collects the codes that were sent and recorded. */
class Plane {
  readonly media: MediaPlane;
  readonly sent: number[] = [];
  readonly recorded: number[] = [];
  readonly levels: Levels[] = [];
  readonly #late = lateClock();
  #listener: (frame: Uint8Array | null) => void = () => {};
  #nowMs = 0;

  constructor() {
    const { clock } = this.#late;
    this.media = new MediaPlane({
      leg: {
        receiving: true,
        onFrame: (listener) => {
          this.#listener = listener;
        },
        onDtmf() {},
        send: (frame) => void this.sent.push(frame[0] ?? -1),
      },
      encoding: 'pcmu',
      clock,
      ticker: new Ticker(clock),
      logger: silentLogger,
      judge: new VadBatcher(levelVad(), clock),
      vad: defaultSpeechConfig.vad,
      recording: { write: (_, agent) => void this.recorded.push(agent[0] ?? -1) },
      mediaTimeout: { initialMs: 30_000, generalMs: 15_000 },
      onEvent: (event) => {
        if (event.type === 'levels') this.levels.push({ callerDb: event.callerDb, agentDb: event.agentDb });
      },
      onAudio() {},
    });
    this.media.start();
  }

  hear(...codes: number[]): void {
    for (const code of codes) this.#listener(frameOf(code));
  }

  tick(count = 1): void {
    for (let n = 0; n < count; n++) {
      this.#nowMs += 20;
      this.#late.wakeAt(this.#nowMs);
    }
  }

  say(code: number, frames: number): void {
    this.media.open(1);
    this.media.play(1, new Uint8Array(160 * frames).fill(code));
    this.media.finish(1);
  }
}

function frameOf(code: number): Uint8Array {
  return new Uint8Array(160).fill(code);
}

describe('monitor', () => {
  it('gets one pair of frames for each frame sent, with silence for missing frames of the caller', () => {
    const plane = new Plane();
    const pairs: string[] = [];
    plane.media.monitor({ write: (caller, agent) => void pairs.push(`${caller[0]} ${agent[0]}`) });
    plane.say(0x20, 2);
    plane.hear(0x11);
    plane.tick();
    plane.tick();
    plane.hear(0x12, 0x13);
    plane.tick(2);
    expect(pairs).toEqual(['17 32', `${silence} 32`, `18 ${silence}`, `19 ${silence}`]);
    plane.media.monitor(null);
    plane.tick(2);
    expect(pairs).toHaveLength(4);
  });

  it('drops the oldest frames of a burst, so that it stays close to the call', () => {
    const plane = new Plane();
    const heard: number[] = [];
    plane.media.monitor({ write: (caller) => void heard.push(caller[0] ?? -1) });
    plane.hear(1, 2, 3, 4, 5, 6);
    plane.tick(5);
    expect(heard).toEqual([3, 4, 5, 6, silence]);
  });
});

describe('levels', () => {
  it('are measured every 400 ms while requested, and reported when they change', () => {
    const plane = new Plane();
    plane.hear(0x20);
    plane.tick(20);
    expect(plane.levels).toEqual([]);
    plane.media.setMetered(true);
    const half = encodeG711('pcmu', new Int16Array(160).fill(16_384))[0] ?? 0;
    const each = (count: number, code: number): void => {
      for (let n = 0; n < count; n++) {
        plane.hear(code);
        plane.tick();
      }
    };
    each(40, half);
    expect(plane.levels).toEqual([{ callerDb: -6, agentDb: silentDb }]);
    plane.say(half, 20);
    each(20, silence);
    expect(plane.levels.at(-1)).toEqual({ callerDb: silentDb, agentDb: -6 });
    each(20, silence);
    each(80, silence);
    expect(plane.levels).toHaveLength(3);
    plane.media.setMetered(false);
    each(20, half);
    expect(plane.levels).toHaveLength(3);
  });
});

describe('a supervisor who has taken over', () => {
  it('is sent and recorded in place of the agent, whose audio waits', async () => {
    const plane = new Plane();
    plane.say(0x20, 3);
    plane.tick();
    plane.media.setTakenOver(true);
    for (const code of [0x31, 0x32, 0x33]) plane.media.speak(frameOf(code));
    plane.tick(4);
    plane.media.setTakenOver(false);
    plane.media.speak(frameOf(0x34));
    plane.tick(3);
    const expected = [0x20, 0x31, 0x32, 0x33, silence, 0x20, 0x20, silence];
    expect(plane.sent).toEqual(expected);
    await plane.media.stop();
    expect(plane.recorded).toEqual(expected);
  });

  it('is heard once three frames have arrived, and at most 200 ms late', () => {
    const plane = new Plane();
    plane.media.setTakenOver(true);
    plane.media.speak(frameOf(1));
    plane.tick(2);
    expect(plane.sent).toEqual([silence, silence]);
    for (let code = 2; code <= 20; code++) plane.media.speak(frameOf(code));
    plane.tick(11);
    expect(plane.sent.slice(2)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20, silence]);
  });
});

describe('FrameMixer', () => {
  it.each(['pcmu', 'pcma', 'pcm16'] as const)('adds frames of %s, and clips the sum', (encoding) => {
    const mixer = new FrameMixer(encoding);
    const size = encoding === 'pcm16' ? 320 : 160;
    const encode = (value: number): Uint8Array => {
      const samples = new Int16Array(size).fill(value);
      return encoding === 'pcm16' ? new Uint8Array(samples.buffer) : encodeG711(encoding, samples);
    };
    const decode = (frame: Uint8Array): number =>
      encoding === 'pcm16'
        ? new DataView(frame.buffer, frame.byteOffset).getInt16(0, true)
        : (decodeG711(encoding, frame)[0] ?? 0);
    expect(Math.abs(decode(mixer.mix(encode(8_000), encode(4_000))) - 12_000)).toBeLessThan(600);
    expect(decode(mixer.mix(encode(30_000), encode(30_000)))).toBeGreaterThan(30_000);
  });
});
