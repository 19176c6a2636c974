import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { WebLeg } from '../../src/server/web-leg.ts';

const silence = new Uint8Array(160).fill(0xff);
const voice = (code: number): Uint8Array => new Uint8Array(160).fill(code);

function setUp() {
  const clock = new VirtualClock();
  const sent: string[] = [];
  const leg = new WebLeg(
    'pcmu',
    {
      sendAudio: (sequence, frame) => sent.push(`${sequence}: ${frame[0] === 0xff ? 'silence' : frame[0]}`),
      clear: (sequence) => sent.push(`clear ${sequence}`),
    },
    clock,
  );
  const frames: unknown[] = [];
  const digits: string[] = [];
  leg.onFrame((frame) => frames.push(frame?.[0] ?? null));
  leg.onDtmf(({ digit }) => digits.push(digit));
  return { clock, sent, leg, frames, digits };
}

describe('audio of a page', () => {
  it('is passed on in order, without duplicates and frames of another length', async () => {
    const { leg, frames } = setUp();
    leg.received(0, voice(1));
    leg.received(0, voice(2));
    leg.received(1, new Uint8Array(640));
    leg.received(1, voice(3));
    expect(frames).toEqual([1, 3]);
    expect((await leg.statistics()).received).toMatchObject({ packets: 2, packetsDropped: 2, packetsLost: 0 });
  });

  it('counts missing frames as lost without replacing them', async () => {
    const { leg, frames } = setUp();
    leg.received(2, voice(1));
    leg.received(5, voice(2));
    expect(frames).toEqual([1, 2]);
    expect((await leg.statistics()).received).toMatchObject({ packets: 2, packetsLost: 4 });
  });

  it('keeps the leg alive, also when it is dropped', async () => {
    const { clock, leg } = setUp();
    await clock.advance(3_000);
    leg.received(0, new Uint8Array(1));
    expect(leg.aliveAtMs).toBe(3_000);
  });

  it('is ignored after the end, like keys', () => {
    const { leg, frames, digits } = setUp();
    leg.pressed('1#');
    leg.end();
    leg.received(0, voice(1));
    leg.pressed('2');
    expect([frames, digits]).toEqual([[], ['1', '#']]);
  });
});

describe('audio for a page', () => {
  it('is numbered, and stops after the end', async () => {
    const { leg, sent } = setUp();
    leg.send(voice(1));
    leg.send(silence);
    leg.end();
    leg.send(voice(2));
    expect(sent).toEqual(['0: 1', '1: silence']);
    expect((await leg.statistics()).sent.packets).toBe(2);
  });

  it('leaves silence out while more than 400 ms are queued, so that clock drift adds no delay', async () => {
    const { clock, leg, sent } = setUp();
    for (let n = 0; n < 21; n++) leg.send(voice(1));
    leg.send(silence);
    expect(sent).toHaveLength(21);
    leg.send(voice(2));
    await clock.advance(40);
    leg.send(silence);
    expect(sent.slice(21)).toEqual(['21: 2', '22: silence']);
  });

  it('can be held and played again', async () => {
    const { clock, leg, sent } = setUp();
    for (const code of [1, 2, 3, 4]) leg.send(voice(code));
    await clock.advance(40);
    leg.holdUnplayed();
    leg.send(silence);
    leg.playUnplayed();
    leg.playUnplayed();
    expect(sent.slice(4)).toEqual(['clear 4', '4: 3', '5: 4']);
  });

  it('counts held frames as unplayed when they are discarded', async () => {
    const { clock, leg } = setUp();
    for (const code of [1, 2, 3, 4]) leg.send(voice(code));
    await clock.advance(20);
    expect(leg.unplayedMs).toBe(60);
    leg.holdUnplayed();
    await clock.advance(1_000);
    expect([leg.discardUnplayed(), leg.discardUnplayed(), leg.unplayedMs]).toEqual([60, 0, 0]);
  });

  it('is not cleared after the end', () => {
    const { leg, sent } = setUp();
    leg.send(voice(1));
    leg.end();
    expect([leg.discardUnplayed(), leg.unplayedMs, sent]).toEqual([20, 0, ['0: 1']]);
  });

  it('has tones in place of frames while keys are sent', () => {
    const { leg, sent } = setUp();
    leg.sendDtmf('5', 40);
    leg.send(voice(1));
    expect(sent).toHaveLength(1);
    expect(sent).not.toContain('0: 1');
  });
});

describe('a page that reconnects', () => {
  it('is sent what it missed, and the pause does not count as played', async () => {
    const { clock, leg, sent } = setUp();
    for (const code of [1, 2, 3]) leg.send(voice(code));
    leg.disconnected();
    leg.send(voice(4));
    expect([leg.sending, sent.length]).toEqual([false, 3]);
    await clock.advance(5_000);
    leg.reconnected(1);
    expect(sent.slice(3)).toEqual(['1: 2', '2: 3']);
    expect([leg.sending, leg.aliveAtMs, leg.unplayedMs]).toEqual([true, 5_000, 60]);
  });
});
