import { decodeG711, type RtpLeg } from '@va/media';
import { beforeEach, describe, expect, it } from 'vitest';
import { Outbox } from '../../src/sip-caller/outbox.ts';

describe('Outbox', () => {
  let frames: Int16Array[];
  let events: Parameters<RtpLeg['sendEvent']>[0][];
  let outbox: Outbox;

  beforeEach(() => {
    frames = [];
    events = [];
    const leg: Pick<RtpLeg, 'send' | 'sendEvent'> = {
      send: (payload) => {
        frames.push(decodeG711('pcmu', payload));
      },
      sendEvent: (event) => {
        events.push(event);
      },
    };
    outbox = new Outbox(leg as RtpLeg, 'pcmu');
  });

  const tickTo = (untilMs: number, fromMs = 0) => {
    for (let nowMs = fromMs; nowMs < untilMs; nowMs += 20) outbox.tick(nowMs);
  };

  it('sends silence while it has nothing else to send', () => {
    tickTo(60);
    expect(frames.map((frame) => [frame.length, frame.every((sample) => sample === 0)])).toEqual([
      [160, true],
      [160, true],
      [160, true],
    ]);
  });

  it('sends audio in frames of 20 ms, the last one padded, and resolves with its times', async () => {
    outbox.tick(0);
    const said = outbox.say(new Int16Array(400).fill(8_000));
    tickTo(120, 20);
    expect(await said).toEqual({ startedAtMs: 20, endedAtMs: 60, complete: true });
    expect(frames.map((frame) => frame.filter((sample) => sample > 7_000).length)).toEqual([0, 160, 160, 80, 0, 0]);
  });

  it('sends queued audio in order', async () => {
    const first = outbox.say(new Int16Array(160).fill(8_000));
    const second = outbox.say(new Int16Array(160).fill(-8_000));
    tickTo(40);
    expect([await first, await second]).toEqual([
      { startedAtMs: 0, endedAtMs: 0, complete: true },
      { startedAtMs: 20, endedAtMs: 20, complete: true },
    ]);
    expect(frames.map((frame) => Math.sign(frame[0] ?? 0))).toEqual([1, -1]);
  });

  it('sends a digit as a telephone event with three end packets, followed by a pause', async () => {
    const pressed = outbox.press('5');
    tickTo(200);
    expect(await pressed).toEqual({ startedAtMs: 0, endedAtMs: 180, complete: true });
    expect(events.map(({ digit, durationMs, first, end }) => [digit, durationMs, first, end])).toEqual([
      ['5', 20, true, false],
      ['5', 40, false, false],
      ['5', 60, false, false],
      ['5', 80, false, false],
      ['5', 100, false, true],
      ['5', 100, false, true],
      ['5', 100, false, true],
    ]);
    expect(frames).toHaveLength(3);
  });

  it('resolves audio that the end of the call cut off as incomplete', async () => {
    const said = outbox.say(new Int16Array(1_600));
    const queued = outbox.say(new Int16Array(160));
    tickTo(60);
    outbox.close();
    expect(await said).toEqual({ startedAtMs: 0, endedAtMs: 40, complete: false });
    expect(await queued).toEqual({ startedAtMs: 40, endedAtMs: 40, complete: false });
    expect(await outbox.say(new Int16Array(160))).toMatchObject({ complete: false });
  });
});
