import { callerFrame, ScriptedLeg, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { Bridge, type BridgeOptions } from '../../../src/calls/transfer/bridge.ts';

function bridged(options: Partial<BridgeOptions> = {}) {
  const clock = new VirtualClock();
  const [caller, destination] = [new ScriptedLeg(), new ScriptedLeg()];
  const bridge = new Bridge({
    caller: { leg: caller, hangup: () => caller.hangup() },
    destination: { leg: destination, hangup: () => destination.hangup() },
    clock,
    mediaTimeoutMs: 10_000,
    ...options,
  });
  /** Lets legs send for some seconds. */
  const talk = async (seconds: number, ...legs: ScriptedLeg[]): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      for (const leg of legs) leg.hear(callerFrame(true));
      await clock.advance(1_000);
    }
  };
  return { clock, caller, destination, bridge, talk };
}

const hungUp = { cause: 'local-hangup' };

describe('Bridge', () => {
  it('sends the audio and the digits of each leg to the other', () => {
    const { caller, destination, bridge } = bridged();
    bridge.start();
    caller.hear(callerFrame(true));
    destination.hear(callerFrame(false));
    caller.press('5');
    expect(destination.sent).toEqual([callerFrame(true)]);
    expect(caller.sent).toEqual([callerFrame(false)]);
    expect(destination.pressed.map(({ digits }) => digits)).toEqual(['5']);
  });

  it('presses keys at the destination, such as an extension', () => {
    const { caller, destination, bridge } = bridged({ keysOnAnswer: 'ww204' });
    bridge.start();
    expect(destination.pressed.map(({ digits }) => digits)).toEqual(['ww204']);
    expect(caller.pressed).toEqual([]);
  });

  it('lasts while both legs are heard', async () => {
    const { caller, destination, bridge, talk } = bridged();
    bridge.start();
    await talk(60, caller, destination);
    expect([caller.end, destination.end, bridge.lastedMs]).toEqual([null, null, 60_000]);
    bridge.end();
  });

  it('hangs up both legs when one has fallen silent', async () => {
    const { caller, destination, bridge, talk } = bridged();
    bridge.start();
    await talk(5, caller, destination);
    await talk(8, caller);
    expect(caller.end).toBeNull();
    await talk(3, caller);
    await bridge.done;
    expect([caller.end, destination.end]).toEqual([hungUp, hungUp]);
  });

  it('lasts while a silent leg is on hold', async () => {
    const { caller, destination, bridge, talk } = bridged();
    bridge.start();
    destination.receiving = false;
    await talk(60, caller);
    expect(destination.end).toBeNull();
    bridge.end();
  });

  it('keeps the time that it lasted, and leaves no timer', async () => {
    const { clock, caller, destination, bridge, talk } = bridged();
    expect(bridge.lastedMs).toBe(0);
    bridge.start();
    await talk(3, caller, destination);
    bridge.end();
    await clock.advance(5_000);
    bridge.end();
    expect([bridge.lastedMs, clock.pending]).toEqual([3_000, 0]);
  });

  it('does not start after its end', async () => {
    const { clock, caller, destination, bridge } = bridged();
    bridge.end();
    bridge.start();
    await bridge.done;
    caller.hear(callerFrame(true));
    expect([destination.sent, bridge.lastedMs, clock.pending]).toEqual([[], 0, 0]);
  });

  it('hangs up the destination even if hanging up the caller throws', async () => {
    const hangup = (): never => {
      throw new Error('the leg is gone');
    };
    const { destination, bridge } = bridged({ caller: { leg: new ScriptedLeg(), hangup } });
    expect(() => bridge.end()).toThrow('the leg is gone');
    await bridge.done;
    expect(destination.end).toEqual(hungUp);
  });
});
