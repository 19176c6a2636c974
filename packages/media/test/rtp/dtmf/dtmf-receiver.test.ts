import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DtmfDigit } from '../../../src/dsp/dtmf-digit.ts';
import { parseTelephoneEvent, writeTelephoneEvent } from '../../../src/packet/telephone-event.ts';
import { DtmfReceiver } from '../../../src/rtp/dtmf/dtmf-receiver.ts';

let clock: VirtualClock;
let digits: DtmfDigit[];
let receiver: DtmfReceiver;

beforeEach(() => {
  clock = new VirtualClock();
  digits = [];
  receiver = new DtmfReceiver(clock, (digit) => digits.push(digit));
});

function event(timestamp: number, digit: string, duration: number, end = false): void {
  receiver.receive(timestamp, writeTelephoneEvent({ digit, duration, end }) ?? new Uint8Array(0));
}

describe('DTMF digits as telephone events', () => {
  it('are reported once for repeated packets', () => {
    for (const duration of [160, 320, 480]) event(1_000, '5', duration);
    for (let i = 0; i < 3; i++) event(1_000, '5', 800, true);
    expect(digits).toEqual([{ digit: '5', durationMs: 100 }]);
    expect(clock.pending).toBe(0);
  });

  it('are reported when only the end packets arrive', () => {
    event(1_000, '#', 800, true);
    event(1_000, '#', 800, true);
    expect(digits).toEqual([{ digit: '#', durationMs: 100 }]);
  });

  it('are reported when every end packet is lost', async () => {
    event(1_000, '*', 160);
    event(1_000, '*', 320);
    await clock.advance(149);
    expect(digits).toEqual([]);
    await clock.advance(1);
    expect(digits).toEqual([{ digit: '*', durationMs: 40 }]);
    event(1_000, '*', 480, true);
    expect(digits).toHaveLength(1);
  });

  it('are reported twice when the same digit is pressed twice, even without the first end packet', () => {
    event(1_000, '1', 160);
    event(2_000, '1', 160);
    event(2_000, '1', 320, true);
    expect(digits).toEqual([
      { digit: '1', durationMs: 20 },
      { digit: '1', durationMs: 40 },
    ]);
  });

  it('are not reported again for a late packet of an earlier event', () => {
    event(1_000, '1', 160, true);
    event(2_000, '2', 160, true);
    event(1_000, '1', 160, true);
    expect(digits.map((each) => each.digit)).toEqual(['1', '2']);
  });

  it('are reported after a wrap of the timestamps', () => {
    event(4_294_967_000, '1', 160, true);
    event(200, '2', 160, true);
    expect(digits.map((each) => each.digit)).toEqual(['1', '2']);
  });

  it('have a duration in the event clock rate', () => {
    receiver.receive(1, writeTelephoneEvent({ digit: '4', duration: 4_800, end: true }) ?? new Uint8Array(0), 48_000);
    receiver.receive(2, writeTelephoneEvent({ digit: '4', duration: 1_600, end: true }) ?? new Uint8Array(0), 16_000);
    expect(digits.map(({ durationMs }) => durationMs)).toEqual([100, 100]);
  });

  it('are joined when a long event continues in segments, and separate when the key was pressed again', () => {
    const press = (timestamp: number, duration: number, end = false): void => {
      receiver.receive(timestamp, writeTelephoneEvent({ digit: '4', duration, end }) ?? new Uint8Array(0), 48_000);
    };
    press(0, 64_320);
    press(65_280, 960);
    press(65_280, 65_280);
    press(130_560, 13_440, true);
    expect(digits).toEqual([{ digit: '4', durationMs: 3_000 }]);
    press(300_000, 62_400);
    press(368_000, 960, true);
    expect(digits.slice(1).map(({ durationMs }) => durationMs)).toEqual([1_300, 20]);
  });

  it('are ignored in late packets of an event up to 10 s old', () => {
    event(200_000, '2', 800, true);
    event(199_000, '1', 800, true);
    event(120_000, '1', 800, true);
    expect(digits.map(({ digit }) => digit)).toEqual(['2']);
  });

  it('are reported when the sender continues with far older timestamps', () => {
    event(2_000_000, '1', 160, true);
    event(1_000, '2', 160, true);
    event(1_000, '2', 160, true);
    event(9_000, '3', 160, true);
    expect(digits.map(({ digit }) => digit)).toEqual(['1', '2', '3']);
  });

  it('are not joined when the sender restarts its timestamps during a long event', () => {
    event(2_000_000, '1', 65_000);
    event(1_000, '1', 800, true);
    expect(digits).toEqual([
      { digit: '1', durationMs: 8_125 },
      { digit: '1', durationMs: 100 },
    ]);
  });

  it('are ignored in payloads that name no digit or are cut off', async () => {
    for (const payload of [[], [5], [5, 0x8a, 0], [16, 0x8a, 0, 160], [255, 0x8a, 0, 160]]) {
      receiver.receive(1_000, Uint8Array.from(payload));
    }
    await clock.advance(1_000);
    expect(digits).toEqual([]);
  });

  it('leave no timer behind when the receiver closes', () => {
    event(1_000, '1', 160);
    receiver.close();
    expect(clock.pending).toBe(0);
    expect(digits).toEqual([]);
  });
});

describe('a telephone event', () => {
  it.each(['0', '9', '*', '#', 'A', 'D'])('%s round-trips', (digit) => {
    const payload = writeTelephoneEvent({ digit, duration: 65_535, end: true });
    expect(payload && parseTelephoneEvent(payload)).toEqual({ digit, duration: 65_535, end: true });
  });

  it('without a valid digit is neither parsed nor written', () => {
    expect(parseTelephoneEvent(Uint8Array.of(16, 0, 0, 0))).toBeNull();
    expect(parseTelephoneEvent(Uint8Array.of(1, 0, 0))).toBeNull();
    expect(parseTelephoneEvent(new Uint8Array(0))).toBeNull();
    expect(writeTelephoneEvent({ digit: 'x', duration: 0, end: false })).toBeNull();
    expect(writeTelephoneEvent({ digit: '', duration: 0, end: false })).toBeNull();
  });
});
