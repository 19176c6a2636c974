import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { StreamLeg, type StreamWire } from '../../../src/shared/stream/stream-leg.ts';

const silence = new Uint8Array(160).fill(0xff);
const voice = (code: number): Uint8Array => new Uint8Array(160).fill(code);

class Wire implements StreamWire {
  readonly sent: string[] = [];
  pressesKeys = false;
  sendAudio(frame: Uint8Array): void {
    this.sent.push(frame[0] === 0xff ? 'silence' : String(frame[0]));
  }
  sendMark(name: string): void {
    this.sent.push(`mark ${name}`);
  }
  clear(): void {
    this.sent.push('clear');
  }
  press(keys: string): boolean {
    if (this.pressesKeys) this.sent.push(`keys ${keys}`);
    return this.pressesKeys;
  }
}

function setUp() {
  const clock = new VirtualClock();
  const wire = new Wire();
  const leg = new StreamLeg('pcmu', wire, clock, async () => ({ type: 'accepted' }));
  const frames: (string | null)[] = [];
  leg.onFrame((frame) => frames.push(frame === null ? null : String(frame[0])));
  return { clock, wire, leg, frames };
}

describe('a leg over a media stream', () => {
  it('passes audio of any length on in frames of 20 ms', () => {
    const { leg, frames } = setUp();
    leg.received(new Uint8Array(100).fill(1), null);
    leg.received(new Uint8Array(240).fill(1), null);
    leg.received(new Uint8Array(140).fill(2), null);
    expect(frames).toEqual(['1', '1', '1']);
  });

  it('fills gaps of the timestamps, ten seconds at most', async () => {
    const { leg, frames } = setUp();
    leg.received(voice(1), 0);
    leg.received(voice(2), 60);
    expect(frames).toEqual(['1', null, null, '2']);
    leg.received(voice(3), 3_600_000);
    expect(frames).toHaveLength(4 + 500 + 1);
    expect((await leg.statistics()).received).toMatchObject({ packets: 3, packetsLost: 502 });
  });

  it('ignores timestamps that go back', () => {
    const { leg, frames } = setUp();
    leg.received(voice(1), 1_000);
    leg.received(voice(2), 0);
    expect(frames).toEqual(['1', '2']);
  });

  it('clears unplayed frames on hold, and sends them again afterwards', async () => {
    const { clock, wire, leg } = setUp();
    for (const code of [1, 2, 3, 4]) leg.send(voice(code));
    await clock.advance(40);
    leg.holdUnplayed();
    leg.send(silence);
    leg.playUnplayed();
    leg.send(voice(5));
    expect(wire.sent).toEqual(['1', '2', '3', '4', 'clear', '3', '4', '5']);
  });

  it('counts held frames as unplayed when they are discarded', async () => {
    const { clock, leg } = setUp();
    for (const code of [1, 2, 3, 4]) leg.send(voice(code));
    await clock.advance(40);
    leg.holdUnplayed();
    await clock.advance(1_000);
    expect(leg.discardUnplayed()).toBe(40);
    expect(leg.discardUnplayed()).toBe(0);
  });

  it('sends keys as tones in place of frames', () => {
    const { wire, leg } = setUp();
    leg.sendDtmf('5', 40);
    for (let n = 0; n < 10; n++) leg.send(voice(1));
    expect(wire.sent.slice(0, 2)).not.toContain('1');
    expect(wire.sent.filter((each) => each === '1').length).toBeGreaterThan(0);
  });

  it('leaves audio out while the carrier presses keys', () => {
    const { wire, leg } = setUp();
    wire.pressesKeys = true;
    leg.sendDtmf('5w', 130);
    for (let n = 0; n < 36; n++) leg.send(voice(1));
    expect(wire.sent).toEqual(['keys 5w', '1']);
  });

  it('reports only digits that are keys of a phone', () => {
    const { leg } = setUp();
    const digits: string[] = [];
    leg.onDtmf(({ digit }) => digits.push(digit));
    for (const digit of ['1', '#', 'x', '12', '']) leg.pressed(digit);
    expect(digits).toEqual(['1', '#']);
  });

  it('has played when its last mark came back, or when it has ended', async () => {
    const { wire, leg } = setUp();
    leg.send(voice(1));
    let played = 0;
    const first = leg.whenPlayed().then(() => played++);
    expect(wire.sent.at(-1)).toBe('mark 0.1');
    leg.marked('0.1');
    await first;
    leg.send(voice(1));
    const second = leg.whenPlayed().then(() => played++);
    leg.end();
    await second;
    expect(played).toBe(2);
  });
});
