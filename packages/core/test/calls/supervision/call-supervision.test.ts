import type { FrameRecording, MediaControl } from '@va/media';
import { callerFrame, ScriptedIncomingCall, silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { CallSupervision } from '../../../src/calls/supervision/call-supervision.ts';
import type { SupervisionMode } from '../../../src/domain/calls/supervision.ts';
import { openConversation } from '../../support/conversation-state.ts';
import { untyped } from '../../support/untyped.ts';

/** The supervision of an answered call, with what reaches its media. */
function supervised(options: { readonly mayTakeOver?: boolean; readonly isAnswered?: boolean } = {}) {
  const clock = new VirtualClock();
  const takeOvers: boolean[] = [];
  const spoken: Uint8Array[] = [];
  let monitor: FrameRecording | null = null;
  const media: MediaControl = untyped({
    speak: (frame: Uint8Array) => void spoken.push(frame),
    monitor: (listener: FrameRecording | null) => {
      monitor = listener;
    },
  });
  const supervision = new CallSupervision({
    takeOver: (isTakenOver) => {
      takeOvers.push(isTakenOver);
      return options.mayTakeOver ?? true;
    },
    logger: silentLogger,
  });
  if (options.isAnswered ?? true) supervision.opened(media, 'pcmu');
  const join = async (mode: SupervisionMode) => {
    const line = new ScriptedIncomingCall({ to: 'supervisor' });
    const left = supervision.join(line, mode);
    await clock.advance(0);
    return { line, left };
  };
  /** A frame of each side of the call. */
  const hears = (): void => monitor?.write(callerFrame(true), callerFrame(false));
  return { clock, supervision, join, hears, takeOvers, spoken, isMonitored: () => monitor !== null };
}

describe('a person who listens', () => {
  it('hears both sides until they leave', async () => {
    const { join, hears, isMonitored } = supervised();
    const { line, left } = await join('listen');
    hears();
    expect([line.answered, line.sent.length]).toEqual([true, 1]);
    line.leave();
    await left;
    expect(isMonitored()).toBe(false);
  });

  it('is not heard by the caller, and takes nothing over', async () => {
    const { join, spoken, takeOvers } = supervised();
    const { line } = await join('listen');
    line.hear(callerFrame(true));
    expect([spoken, takeOvers]).toEqual([[], []]);
  });

  it('hears the call while somebody else leaves', async () => {
    const { join, hears } = supervised();
    const [one, other] = [await join('listen'), await join('listen')];
    other.line.leave();
    await other.left;
    hears();
    expect([one.line.sent.length, other.line.sent.length]).toEqual([1, 0]);
  });
});

describe('a person who talks', () => {
  it('speaks in the agent’s place until they leave', async () => {
    const { join, spoken, takeOvers } = supervised();
    const { line, left } = await join('talk');
    line.hear(callerFrame(true));
    expect([takeOvers, spoken.length]).toEqual([[true], 1]);
    line.leave();
    await left;
    expect(takeOvers).toEqual([true, false]);
    line.hear(callerFrame(true));
    expect(spoken).toHaveLength(1);
  });

  it('is disconnected if the conversation cannot be taken over', async () => {
    const { join, takeOvers } = supervised({ mayTakeOver: false });
    const { line } = await join('talk');
    expect(line.end).not.toBeNull();
    expect(takeOvers).toEqual([true]);
  });

  it('is disconnected when the conversation ends the take-over, and hands nothing back', async () => {
    const { supervision, join, takeOvers } = supervised();
    const { line, left } = await join('talk');
    const state = openConversation();
    supervision.observe({ ...state, playout: { ...state.playout, isTakenOver: true } });
    expect(line.end).toBeNull();
    supervision.observe(state);
    await left;
    expect([line.end === null, takeOvers]).toEqual([false, [true]]);
  });
});

describe('a call', () => {
  it('disconnects supervisors before it is answered', async () => {
    const { join } = supervised({ isAnswered: false });
    const { line } = await join('listen');
    expect([line.answered, line.end === null]).toEqual([false, false]);
  });

  it('accepts at most five supervisors', async () => {
    const { join } = supervised();
    const people = [];
    for (let n = 0; n < 6; n += 1) people.push(await join('listen'));
    expect(people.map(({ line }) => line.end === null)).toEqual([true, true, true, true, true, false]);
    people[0]?.line.leave();
    await people[0]?.left;
    expect((await join('listen')).line.end).toBeNull();
  });

  it('disconnects all supervisors at its end', async () => {
    const { supervision, join } = supervised();
    const people = [await join('listen'), await join('talk')];
    supervision.close('user_hangup');
    await Promise.all(people.map(({ left }) => left));
    expect(people.every(({ line }) => line.end !== null)).toBe(true);
    expect((await join('listen')).line.end).not.toBeNull();
  });

  it('goes on when a supervisor cannot connect', async () => {
    const { supervision, hears, clock, join } = supervised();
    const line = Object.assign(new ScriptedIncomingCall({ to: 'supervisor' }), {
      answer: () => Promise.reject(new Error('the connection is lost')),
    });
    await supervision.join(line, 'listen');
    expect(line.end).not.toBeNull();
    const { line: other } = await join('listen');
    await clock.advance(0);
    hears();
    expect(other.sent).toHaveLength(1);
  });
});

describe('a supervisor whose connection is lost', () => {
  it('is disconnected after 3 s', async () => {
    const { join, hears } = supervised();
    const { line } = await join('talk');
    line.sending = false;
    for (let n = 1; n < 150; n += 1) hears();
    expect(line.end).toBeNull();
    hears();
    expect(line.end).not.toBeNull();
  });

  it('stays connected if the connection recovers within 3 s', async () => {
    const { join, hears } = supervised();
    const { line } = await join('listen');
    line.sending = false;
    for (let n = 0; n < 149; n += 1) hears();
    line.sending = true;
    hears();
    line.sending = false;
    for (let n = 0; n < 149; n += 1) hears();
    expect(line.end).toBeNull();
  });
});
