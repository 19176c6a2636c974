import { ScriptedOutgoingCall, VirtualClock } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { DialedLine } from '../../../src/calls/line/dialed-line.ts';
import type { LegEnd } from '../../../src/ports/telephony.ts';
import { untyped } from '../../support/untyped.ts';

function dialing() {
  const clock = new VirtualClock();
  const outgoing = new ScriptedOutgoingCall('call-1', untyped({}));
  const ends: LegEnd[] = [];
  const onRung = vi.fn();
  let dialed = (): void => {};
  let fail = (_error: Error): void => {};
  const attempt = new Promise<ScriptedOutgoingCall>((resolve, reject) => {
    dialed = () => resolve(outgoing);
    fail = reject;
  });
  const line = new DialedLine({ clock, ringTimeoutMs: 30_000, onRung, dial: () => attempt });
  line.onEnd((end) => ends.push(end));
  const connected = line.connect();
  connected.catch(() => {});
  const ringing = async (): Promise<void> => {
    dialed();
    await clock.advance(0);
  };
  return { clock, outgoing, ends, line, connected, ringing, onRung, fail };
}

describe('DialedLine', () => {
  it('resolves to the leg when the far end answers, and leaves no timer', async () => {
    const { clock, outgoing, ends, connected, ringing, onRung } = dialing();
    await ringing();
    outgoing.pickUp();
    expect(await connected).toBe(outgoing);
    expect(onRung).toHaveBeenCalledOnce();
    expect(clock.pending).toBe(0);
    outgoing.leave();
    expect(ends).toEqual([{ cause: 'remote-hangup' }]);
  });

  it('hangs up a call that rings too long, and reports that nobody answered', async () => {
    const { clock, outgoing, ends, connected, ringing, onRung } = dialing();
    await ringing();
    await clock.advance(29_999);
    expect(outgoing.end).toBeNull();
    await clock.advance(1);
    await expect(connected).rejects.toThrow();
    expect(outgoing.end).toEqual({ cause: 'local-hangup' });
    expect(ends).toEqual([{ cause: 'not-answered', why: 'no-answer', message: 'Nobody answered within 30 seconds.' }]);
    expect(onRung).toHaveBeenCalledOnce();
  });

  it('reports the refusal of the far end, and stops counting the call as ringing', async () => {
    const { clock, outgoing, ends, connected, ringing, onRung } = dialing();
    await ringing();
    outgoing.refuse('busy', '486 Busy Here');
    await expect(connected).rejects.toThrow();
    expect(ends).toEqual([{ cause: 'not-answered', why: 'busy', message: '486 Busy Here' }]);
    expect(onRung).toHaveBeenCalledOnce();
    expect(clock.pending).toBe(0);
  });

  it('reports a call that cannot be attempted as a failed dial', async () => {
    const { ends, connected, fail } = dialing();
    fail(new Error('the trunk has no address'));
    await expect(connected).rejects.toThrow('the trunk has no address');
    expect(ends).toEqual([{ cause: 'not-answered', why: 'failed', message: 'the trunk has no address' }]);
  });

  it.each(['hangup', 'reject'] as const)('ends at once on %s while it dials, and hangs up afterwards', async (how) => {
    const { outgoing, ends, line, connected, ringing } = dialing();
    line[how]();
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
    await ringing();
    await expect(connected).rejects.toThrow();
    expect(outgoing.end).toEqual({ cause: 'local-hangup' });
    expect(ends).toHaveLength(1);
  });

  it('hangs up the call while it rings', async () => {
    const { outgoing, ends, line, connected, ringing } = dialing();
    await ringing();
    line.hangup();
    await expect(connected).rejects.toThrow();
    expect(outgoing.end).toEqual({ cause: 'local-hangup' });
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
  });

  it('calls a listener that is added after the end at once', async () => {
    const { line } = dialing();
    line.hangup();
    const late: LegEnd[] = [];
    line.onEnd((end) => late.push(end));
    expect(late).toEqual([{ cause: 'local-hangup' }]);
  });
});
