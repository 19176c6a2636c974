import { defaultSpeechConfig } from '@va/core/adapter';
import { callerFrame, ScriptedLeg, silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { silentFrames } from '../../src/codec/frame.ts';
import { Ticker } from '../../src/plane/ticker.ts';
import { HeardMeter } from '../../src/worker/heard-meter.ts';
import { MediaPlaneServer } from '../../src/worker/media-plane-server.ts';
import type { MediaWorkerEvent, PlaneCommand, PlaneSettings } from '../../src/worker/messages.ts';

const leg = 7;

/** A server whose plane has started, with the meter of the main thread. */
function setUp(changes: Partial<PlaneSettings> = {}) {
  const clock = new VirtualClock();
  const far = new ScriptedLeg();
  const meter = new HeardMeter();
  const events: MediaWorkerEvent[] = [];
  const frames: Uint8Array[] = [];
  const server = new MediaPlaneServer({
    clock,
    leg: far,
    legId: leg,
    logger: silentLogger,
    ticker: new Ticker(clock),
    batcherOf: () => null,
    emitFrame: (frame) => frames.push(frame.slice()),
    emit: (event) => events.push(event),
  });
  const settings: PlaneSettings = {
    encoding: 'pcmu',
    vad: defaultSpeechConfig.vad,
    ambient: undefined,
    hold: undefined,
    isRecorded: false,
    detector: null,
    heard: meter.shared,
    mediaTimeout: { initialMs: 60_000, generalMs: 60_000 },
    ...changes,
  };
  const run = (...commands: readonly PlaneCommand[]): void => {
    for (const command of commands) server.handle(command);
  };
  run({ type: 'start', leg, settings });
  /** Lets both sides send a number of frames. */
  const talk = async (count: number): Promise<void> => {
    for (let frame = 0; frame < count; frame += 1) {
      far.hear(callerFrame(true));
      await clock.advance(20);
    }
  };
  const say = (utterance: number, value: number, frameCount: number): void =>
    run(
      { type: 'open-utterance', leg, utterance },
      { type: 'play', leg, utterance, audio: new Uint8Array(160 * frameCount).fill(value) },
      { type: 'finish-utterance', leg, utterance },
    );
  return { clock, far, meter, events, frames, server, run, talk, say };
}

const countOf = (events: readonly MediaWorkerEvent[], type: 'recorded' | 'monitored'): number =>
  events.reduce((sum, event) => (event.type === type ? sum + event.frames.count : sum), 0);

describe('MediaPlaneServer', () => {
  it('passes on the frames of the caller, and reports once that media have started', async () => {
    const { events, frames, talk } = setUp();
    await talk(2);
    expect(frames).toEqual([callerFrame(true), callerFrame(true)]);
    expect(events).toEqual([{ type: 'plane', leg, event: { type: 'media-started' }, atMs: 0 }]);
  });

  it('passes on the digits of the caller', () => {
    const { events, far } = setUp();
    far.press('5');
    expect(events).toMatchObject([{ type: 'plane', leg, event: { type: 'dtmf', digit: { digit: '5' } } }]);
  });

  it('plays utterances in order, and reports when each starts and ends', async () => {
    const { clock, events, far, say } = setUp();
    say(1, 1, 2);
    say(2, 2, 1);
    await clock.advance(80);
    expect(far.sent.slice(0, 4).map((frame) => frame[0])).toEqual([1, 1, 2, silentFrames.pcmu[0]]);
    expect(events).toMatchObject([
      { type: 'playout', leg, generation: 0, event: { type: 'started', utterance: 1 } },
      { type: 'playout', leg, generation: 0, event: { type: 'finished', utterance: 1, playedMs: 40 } },
      { type: 'playout', leg, generation: 0, event: { type: 'started', utterance: 2 } },
      { type: 'playout', leg, generation: 0, event: { type: 'finished', utterance: 2, playedMs: 20 } },
    ]);
  });

  it('counts what it plays in the meter, and plays nothing while the meter is paused', async () => {
    const { clock, far, meter, say } = setUp();
    say(1, 1, 10);
    await clock.advance(40);
    meter.pause();
    await clock.advance(40);
    meter.resume();
    await clock.advance(20);
    expect(far.sent.map((frame) => frame[0] === 1)).toEqual([true, true, false, false, true]);
    expect(meter.cut()).toBe(3 * 160);
  });

  it('plays nothing that the main thread has cut off, before and after the clear command arrives', async () => {
    const { clock, events, far, meter, run, say } = setUp();
    say(1, 1, 10);
    await clock.advance(20);
    meter.cut();
    await clock.advance(40);
    run({ type: 'clear', leg, generation: 1 });
    say(2, 2, 1);
    await clock.advance(40);
    expect(far.sent.map((frame) => frame[0])).toEqual([1, 0xff, 0xff, 2, 0xff]);
    expect(events).toMatchObject([
      { generation: 0, event: { type: 'started', utterance: 1 } },
      { generation: 1, event: { type: 'started', utterance: 2 } },
      { generation: 1, event: { type: 'finished', utterance: 2 } },
    ]);
  });

  it('records both sides in batches of half a second, and the rest at its end', async () => {
    const { events, run, talk } = setUp({ isRecorded: true });
    await talk(40);
    expect(events.filter(({ type }) => type === 'recorded')).toMatchObject([{ leg, frames: { count: 25 } }]);
    run({ type: 'stop', leg });
    expect(countOf(events, 'recorded')).toBe(40);
  });

  it('records nothing unless it is asked to', async () => {
    const { events, run, talk } = setUp();
    await talk(40);
    run({ type: 'stop', leg });
    expect(countOf(events, 'recorded')).toBe(0);
  });

  it('passes frames on to listeners every 40 ms, while there are any', async () => {
    const { events, run, talk } = setUp();
    await talk(4);
    expect(countOf(events, 'monitored')).toBe(0);
    run({ type: 'monitor', leg, isOn: true });
    await talk(4);
    run({ type: 'monitor', leg, isOn: false });
    await talk(4);
    const batches = events.filter(({ type }) => type === 'monitored');
    expect(batches.map((batch) => batch.type === 'monitored' && batch.frames.count)).toEqual([2, 2]);
    // The reader keeps reading the memory that it got first.
    run({ type: 'monitor', leg, isOn: true });
    await talk(4);
    const memories = events.flatMap((event) => (event.type === 'monitored' ? [event.frames.memory] : []));
    expect(memories.map((memory) => memory !== undefined)).toEqual([true, false, false, false]);
  });

  it('measures the levels only while requested', async () => {
    const { events, run, talk } = setUp();
    run({ type: 'set-metered', leg, isMetered: true });
    await talk(20);
    run({ type: 'set-metered', leg, isMetered: false });
    await talk(20);
    const levels = events.filter((event) => event.type === 'plane' && event.event.type === 'levels');
    expect(levels).toHaveLength(1);
  });

  it('sends the audio of a supervisor who has taken over', async () => {
    const { clock, far, run, say } = setUp();
    say(1, 1, 10);
    run({ type: 'speak', leg, frame: new Uint8Array(160).fill(9) }, { type: 'set-taken-over', leg, isTakenOver: true });
    for (let frame = 0; frame < 10; frame += 1) run({ type: 'speak', leg, frame: new Uint8Array(160).fill(5) });
    await clock.advance(40);
    run({ type: 'set-taken-over', leg, isTakenOver: false });
    await clock.advance(20);
    expect(far.sent.at(-1)?.[0]).toBe(1);
    const spoken = far.sent.slice(0, -1).map((frame) => frame[0]);
    expect(spoken).not.toContain(1);
    expect(spoken).not.toContain(9);
  });

  it('reports that the media of the caller is lost', async () => {
    const { clock, events } = setUp({ mediaTimeout: { initialMs: 100, generalMs: 60_000 } });
    await clock.advance(200);
    expect(events).toMatchObject([{ type: 'plane', event: { type: 'media-lost', silentMs: 100 } }]);
  });

  it('sends and emits nothing after its end, which it reports', async () => {
    const { clock, events, far, frames, run, server, talk, say } = setUp();
    await talk(1);
    run({ type: 'stop', leg });
    expect(events.at(-1)).toEqual({ type: 'stopped', leg });
    const before = [far.sent.length, frames.length, events.length];
    say(1, 1, 1);
    run({ type: 'monitor', leg, isOn: true }, { type: 'clear', leg, generation: 1 });
    await talk(5);
    server.stop();
    expect([far.sent.length, frames.length, events.length]).toEqual(before);
    expect(clock.pending).toBe(0);
  });
});
