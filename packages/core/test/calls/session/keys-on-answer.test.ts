import { ScriptedLeg, silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { Scope } from '../../../src/calls/scope.ts';
import { KeysOnAnswer } from '../../../src/calls/session/keys-on-answer.ts';
import type { MediaLeg } from '../../../src/ports/telephony.ts';

function answered(leg: MediaLeg = new ScriptedLeg()) {
  const clock = new VirtualClock();
  const scope = new Scope(silentLogger);
  const warn = vi.fn();
  const keys = new KeysOnAnswer({ leg, clock, logger: { ...silentLogger, warn }, scope });
  return { clock, scope, warn, keys, pressed: vi.fn() };
}

describe('KeysOnAnswer', () => {
  it('begins the conversation at once without keys', () => {
    const { clock, warn, keys, pressed } = answered();
    keys.press(null, pressed);
    expect(pressed).toHaveBeenCalledOnce();
    expect([keys.areBeingPressed, clock.pending]).toEqual([false, 0]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('begins the conversation when the last tone is over', async () => {
    const leg = new ScriptedLeg();
    const { clock, keys, pressed } = answered(leg);
    keys.press('ww12', pressed);
    expect(leg.pressed).toEqual([{ digits: 'ww12', toneMs: 100 }]);
    // Two pauses of 500 ms and at least two tones of 100 ms.
    await clock.advance(1_199);
    expect(pressed).not.toHaveBeenCalled();
    expect(keys.areBeingPressed).toBe(true);
    await clock.advance(2_000);
    expect(pressed).toHaveBeenCalledOnce();
    expect(keys.areBeingPressed).toBe(false);
  });

  it('logs a warning and goes on when the leg cannot send keys', () => {
    const silent = Object.assign(new ScriptedLeg(), { sendDtmf: undefined }) as unknown as MediaLeg;
    const { warn, keys, pressed } = answered(silent);
    keys.press('12', pressed);
    expect(pressed).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledOnce();
  });

  it('never begins the conversation of a call that has ended', async () => {
    const { clock, scope, keys, pressed } = answered();
    keys.press('12', pressed);
    scope.close();
    await clock.advance(10_000);
    expect(pressed).not.toHaveBeenCalled();
    expect(clock.pending).toBe(0);
  });
});
