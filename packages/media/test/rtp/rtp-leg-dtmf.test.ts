import { describe, expect, it } from 'vitest';
import { silentFrames } from '../../src/codec/frame.ts';
import { decodeG711 } from '../../src/codec/g711.ts';
import { DtmfDetector } from '../../src/dsp/dtmf-detector.ts';
import { writeTelephoneEvent } from '../../src/packet/telephone-event.ts';
import { DtmfTones } from '../../src/rtp/dtmf/dtmf-tones.ts';
import { agreed } from '../support/agreement.ts';
import { Line } from '../support/line.ts';

const audio = new Uint8Array(160).fill(0x55);
const withEvents = {
  telephoneEventPayloadType: 101,
  mappings: [{ payloadType: 101, encodingName: 'telephone-event', clockRateHz: 8_000 }],
};

/** Sends frames of audio, one per 20 ms. */
async function speak(line: Line, frames: number): Promise<void> {
  for (let sent = 0; sent < frames; sent += 1) {
    line.leg.send(audio);
    await line.clock.advance(20);
  }
}

/** Lets the far end press keys in the audio of its line, and then be silent. Returns the next sequence number. */
async function press(line: Line, keys: string, sequence: number): Promise<number> {
  const tones = new DtmfTones('pcmu');
  tones.press(keys, 100);
  let next = sequence;
  for (let frame = tones.next(); frame !== null; frame = tones.next()) {
    line.hear(next, { payload: frame });
    next += 1;
    await line.clock.advance(20);
  }
  for (let silent = 0; silent < 5; silent += 1) {
    line.hear(next, { payload: silentFrames.pcmu });
    next += 1;
    await line.clock.advance(20);
  }
  return next;
}

/** Receives one packet of a telephone event. */
function hearEvent(line: Line, sequence: number, digit: string, duration: number, end: boolean): void {
  const payload = writeTelephoneEvent({ digit, end, duration }) ?? new Uint8Array(0);
  line.hear(sequence, { payloadType: 101, timestamp: 8_000, payload });
}

describe('RtpLeg sending DTMF', () => {
  it('sends events, three ends and a pause instead of frames', async () => {
    const line = Line.agreed(withEvents);
    line.leg.sendDtmf('1', 40);
    await speak(line, 8);
    const { packets } = line;
    expect(packets.map(({ payloadType }) => payloadType)).toEqual([101, 101, 101, 101, 0, 0, 0, 0]);
    expect(packets.slice(0, 4).map(({ marker, payload }) => [marker, (payload[1] ?? 0) >= 0x80])).toEqual([
      [true, false],
      [false, true],
      [false, true],
      [false, true],
    ]);
    expect(new Set(packets.slice(0, 4).map(({ timestamp }) => timestamp)).size).toBe(1);
    expect(packets.slice(4, 7).map(({ payload }) => payload)).toEqual(Array(3).fill(silentFrames.pcmu));
    expect(packets[7]?.payload).toEqual(audio);
  });

  it('sends tones to a far end without events', async () => {
    const line = Line.agreed();
    line.leg.sendDtmf('5', 100);
    line.leg.sendDtmf('#', 100);
    await speak(line, 25);
    const heard: string[] = [];
    const detector = new DtmfDetector(({ digit }) => heard.push(digit));
    for (const { payload } of line.packets) detector.push(decodeG711('pcmu', payload));
    expect(line.packets.every(({ payloadType }) => payloadType === 0)).toBe(true);
    expect(heard).toEqual(['5', '#']);
  });

  it('sends one event of a relayed digit if the far end takes events', () => {
    const packet = { digit: '7', durationMs: 20, end: false, first: true };
    const line = Line.agreed(withEvents);
    line.leg.sendEvent(packet);
    expect(line.packets).toMatchObject([{ payloadType: 101, marker: true }]);
    const plain = Line.agreed();
    plain.leg.sendEvent(packet);
    expect(plain.packets).toEqual([]);
  });

  it('counts the duration of events at their clock rate', () => {
    const line = Line.agreed({ telephoneEventPayloadType: 102, telephoneEventClockRateHz: 48_000 });
    line.leg.sendEvent({ digit: '7', durationMs: 20, end: false, first: true });
    const [{ payload } = { payload: new Uint8Array(4) }] = line.packets;
    expect(((payload[2] ?? 0) << 8) | (payload[3] ?? 0)).toBe(960);
  });
});

describe('RtpLeg receiving DTMF', () => {
  it('reports an event once, with its duration', () => {
    const line = Line.agreed(withEvents);
    hearEvent(line, 1, '4', 160, false);
    hearEvent(line, 2, '4', 800, true);
    hearEvent(line, 3, '4', 800, true);
    expect(line.digits).toEqual([{ digit: '4', durationMs: 100 }]);
  });

  it('reports a tone in the audio of a far end without events', async () => {
    const line = Line.agreed();
    await press(line, '9', 1);
    expect(line.digits.map(({ digit }) => digit)).toEqual(['9']);
  });

  it('listens to no tones if events were negotiated', async () => {
    const line = Line.agreed(withEvents);
    await press(line, '9', 1);
    expect(line.digits).toEqual([]);
  });

  it('listens to tones again if a later agreement has no events', async () => {
    const line = Line.agreed(withEvents);
    line.leg.apply(agreed());
    await press(line, '9', 1);
    expect(line.digits.map(({ digit }) => digit)).toEqual(['9']);
  });

  it('ignores digits of the signalling once events were heard', () => {
    const line = Line.agreed(withEvents);
    line.leg.receiveDigit({ digit: '1', durationMs: 100 });
    hearEvent(line, 1, '4', 800, true);
    line.leg.receiveDigit({ digit: '4', durationMs: 100 });
    expect(line.digits.map(({ digit }) => digit)).toEqual(['1', '4']);
  });

  it('reports a key once that is both in the audio and in the signalling', async () => {
    const line = Line.agreed();
    await press(line, '9', 1);
    line.leg.receiveDigit({ digit: '9', durationMs: 100 });
    expect(line.digits.map(({ digit }) => digit)).toEqual(['9']);
  });

  it('reports another key of the signalling, and the same one after a second', async () => {
    const line = Line.agreed();
    await press(line, '9', 1);
    line.leg.receiveDigit({ digit: '8', durationMs: 100 });
    line.leg.receiveDigit({ digit: '9', durationMs: 100 });
    expect(line.digits.map(({ digit }) => digit)).toEqual(['9', '8', '9']);

    const late = Line.agreed();
    await press(late, '9', 1);
    await late.clock.advance(1_000);
    late.leg.receiveDigit({ digit: '9', durationMs: 100 });
    expect(late.digits.map(({ digit }) => digit)).toEqual(['9', '9']);
  });

  it('listens to no tones after a digit of the signalling, also after another agreement', async () => {
    const line = Line.agreed();
    line.leg.receiveDigit({ digit: '1', durationMs: 100 });
    const next = await press(line, '9', 1);
    line.leg.apply(agreed());
    await press(line, '9', next);
    expect(line.digits.map(({ digit }) => digit)).toEqual(['1']);
  });
});
