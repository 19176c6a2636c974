import { defaultSpeechConfig } from '@va/core/adapter';
import { callerFrame, levelVad, silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MediaEvent, MediaSettings } from '../../src/plane/media-control.ts';
import { Ticker } from '../../src/plane/ticker.ts';
import type { RecordingSink } from '../../src/recording/recording-sink.ts';
import { VadBatcher } from '../../src/vad/vad-batcher.ts';
import { MediaPlaneServer } from '../../src/worker/media-plane-server.ts';
import type { MediaWorkerEvent, PlaneCommand } from '../../src/worker/messages.ts';
import { RemoteMediaPlane } from '../../src/worker/remote-media-plane.ts';

/** A media plane and its remote control on one clock: commands and events are delivered when the test says so. */
class Call {
  readonly clock = new VirtualClock();
  readonly events: MediaEvent[] = [];
  readonly heard: number[] = [];
  readonly sent: number[] = [];
  readonly recorded: Int16Array[] = [];
  readonly media: RemoteMediaPlane;
  readonly #server: MediaPlaneServer;
  readonly #commands: PlaneCommand[] = [];
  readonly #news: MediaWorkerEvent[] = [];
  #onFrame: (frame: Uint8Array | null) => void = () => {};

  constructor(recording: Partial<RecordingSink> = {}) {
    const { clock } = this;
    const ticker = new Ticker(clock);
    const sink = { write: (each: Int16Array) => void this.recorded.push(each.slice()), close: async () => {} };
    const settings: MediaSettings = {
      encoding: 'pcmu',
      vad: defaultSpeechConfig.vad,
      recording: { ...sink, ...recording },
      mediaTimeout: { initialMs: 30_000, generalMs: 15_000 },
      onEvent: (event) => this.events.push(event),
      onAudio: (frame) => this.heard.push(frame[0] ?? -1),
    };
    const judge = new VadBatcher(levelVad(), clock);
    this.media = new RemoteMediaPlane(3, settings, { clock, logger: silentLogger, ticker, judge }, (command) =>
      this.#commands.push(command),
    );
    this.#server = new MediaPlaneServer({
      clock,
      logger: silentLogger,
      ticker,
      legId: 3,
      leg: {
        receiving: true,
        onFrame: (listener) => {
          this.#onFrame = listener;
        },
        onDtmf() {},
        send: (frame) => void this.sent.push(frame[0] ?? -1),
      },
      batcherOf: () => null,
      emitFrame: (frame) => this.media.onFrame(frame),
      emit: (event) => this.#news.push(event),
    });
    this.media.start();
    this.deliver();
  }

  hear(frame: Uint8Array): void {
    this.#onFrame(frame);
  }

  /** Delivers the commands, then the events of the worker. */
  deliver(): void {
    for (const command of this.#commands.splice(0)) this.#server.handle(command);
    for (const event of this.#news.splice(0)) this.media.onEvent(event);
  }

  async tick(frames: number): Promise<void> {
    for (let n = 0; n < frames; n++) await this.clock.advance(20);
  }

  eventsOf(type: MediaEvent['type']): MediaEvent[] {
    return this.events.filter((event) => event.type === type);
  }
}

let call: Call;

beforeEach(() => {
  call = new Call();
});

function say(utterance: number, code: number, ms: number): void {
  call.media.open(utterance);
  call.media.play(utterance, new Uint8Array(ms * 8).fill(code));
}

describe('a media plane in a worker', () => {
  it('plays what the control opens, and reports the end of each utterance', async () => {
    say(1, 10, 40);
    call.media.finish(1);
    call.deliver();
    await call.tick(4);
    call.deliver();
    expect(call.sent.filter((code) => code === 10)).toHaveLength(2);
    expect(call.eventsOf('playout')).toEqual([
      { type: 'playout', event: { type: 'started', utterance: 1 } },
      { type: 'playout', event: { type: 'finished', utterance: 1, playedMs: 40 } },
    ]);
  });

  it('sends nothing more once a clear has returned, although the worker has not received it', async () => {
    say(1, 10, 1_000);
    call.deliver();
    await call.tick(5);
    const playedMs = call.sent.filter((code) => code === 10).length * 20;
    call.media.clear();
    expect(call.eventsOf('playout-cleared')).toEqual([{ type: 'playout-cleared', cut: [{ utterance: 1, playedMs }] }]);
    call.sent.length = 0;
    await call.tick(5);
    call.deliver();
    await call.tick(5);
    expect(call.sent).not.toContain(10);
    expect(call.eventsOf('playout-cleared')).toHaveLength(1);
    say(2, 20, 20);
    call.deliver();
    await call.tick(2);
    expect(call.sent).toContain(20);
  });

  it('pauses at once and resumes with the next sample', async () => {
    say(1, 10, 100);
    call.deliver();
    await call.tick(2);
    call.media.pause();
    call.sent.length = 0;
    await call.tick(10);
    expect(call.sent).not.toContain(10);
    call.media.resume();
    await call.tick(10);
    expect(call.sent.filter((code) => code === 10).length).toBeGreaterThanOrEqual(3);
  });

  it('passes the caller’s frames to recognition, and detects speech in the control’s thread', () => {
    for (let n = 0; n < 30; n++) call.hear(callerFrame(true));
    expect(call.heard).toHaveLength(30);
    expect(call.eventsOf('speech-started')).toHaveLength(1);
  });

  it('flushes the recording before it has stopped, and emits nothing afterwards', async () => {
    for (let n = 0; n < 30; n++) {
      call.hear(callerFrame(true));
      await call.tick(1);
    }
    const stopped = call.media.stop();
    call.deliver();
    await stopped;
    expect(call.recorded.length).toBeGreaterThanOrEqual(29);
    const { length } = call.events;
    call.hear(callerFrame(true));
    await call.tick(5);
    call.deliver();
    expect(call.events).toHaveLength(length);
    await call.media.stop();
  });

  it('continues without a recording whose sink throws', async () => {
    let writes = 0;
    call = new Call({
      write() {
        writes += 1;
        throw new Error('disk full');
      },
    });
    say(1, 10, 3_000);
    call.deliver();
    await call.tick(120);
    call.deliver();
    await call.tick(30);
    call.deliver();
    expect(writes).toBe(1);
    expect(call.eventsOf('media-failed')).toEqual([]);
    expect(call.sent.filter((code) => code === 10).length).toBeGreaterThan(140);
  });

  it('reports the loss of its worker as a failure', () => {
    call.media.onLost('the worker died');
    expect(call.eventsOf('media-failed')).toEqual([{ type: 'media-failed', message: 'the worker died' }]);
  });

  it('passes both sides to a listener until it leaves, and to the next one', async () => {
    const pairs: number[][] = [[], []];
    const listener = (n: number) => ({
      write: (_: Uint8Array, agent: Uint8Array) => void pairs[n]?.push(agent[0] ?? -1),
    });
    say(1, 10, 5_000);
    call.media.monitor(listener(0));
    call.deliver();
    await call.tick(10);
    call.deliver();
    call.media.monitor(null);
    call.deliver();
    await call.tick(10);
    call.deliver();
    const heard = pairs[0]?.length ?? 0;
    expect(heard).toBeGreaterThanOrEqual(8);
    call.media.monitor(listener(1));
    call.deliver();
    await call.tick(10);
    call.deliver();
    expect(pairs[0]).toHaveLength(heard);
    expect(pairs[1]?.every((code) => code === 10)).toBe(true);
    expect(pairs[1]?.length).toBeGreaterThanOrEqual(8);
  });

  it('sends a supervisor in place of the agent, measures levels, and lowers the voice', async () => {
    call.media.setMetered(true);
    call.media.setTakenOver(true);
    for (let n = 0; n < 5; n++) call.media.speak(new Uint8Array(160).fill(30));
    say(1, 10, 5_000);
    call.deliver();
    await call.tick(6);
    expect(call.sent.filter((code) => code === 30)).toHaveLength(5);
    expect(call.sent).not.toContain(10);
    call.media.setTakenOver(false);
    call.media.setLevel(-40);
    call.deliver();
    await call.tick(30);
    call.deliver();
    expect(call.eventsOf('levels').length).toBeGreaterThan(0);
    expect(call.sent.at(-1)).not.toBe(10);
  });
});
