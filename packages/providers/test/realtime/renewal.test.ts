import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { Renewal } from '../../src/realtime/renewal.ts';

function setUp() {
  const clock = new VirtualClock();
  const state = { isIdle: true, renewals: 0 };
  const renewal = new Renewal(
    clock,
    10_000,
    () => state.isIdle,
    () => {
      state.renewals++;
    },
  );
  return { clock, state, renewal };
}

describe('Renewal', () => {
  it('renews at 90 % of the duration when the session is idle', async () => {
    const { clock, state, renewal } = setUp();
    renewal.start();
    renewal.check();
    await clock.advance(8_999);
    expect(state.renewals).toBe(0);
    await clock.advance(1);
    expect(state.renewals).toBe(1);
  });

  it('waits for a pause after 90 %', async () => {
    const { clock, state, renewal } = setUp();
    renewal.start();
    state.isIdle = false;
    await clock.advance(9_500);
    renewal.check();
    expect(state.renewals).toBe(0);
    state.isIdle = true;
    renewal.check();
    expect(state.renewals).toBe(1);
  });

  it('renews at the end of the duration without a pause', async () => {
    const { clock, state, renewal } = setUp();
    renewal.start();
    state.isIdle = false;
    await clock.advance(10_000);
    expect(state.renewals).toBe(1);
  });

  it('starts again with each session', async () => {
    const { clock, state, renewal } = setUp();
    renewal.start();
    await clock.advance(8_000);
    renewal.start();
    await clock.advance(8_000);
    expect(state.renewals).toBe(0);
    expect(clock.pending).toBe(2);
  });

  it('does nothing after stop', async () => {
    const { clock, state, renewal } = setUp();
    renewal.start();
    state.isIdle = false;
    await clock.advance(9_500);
    renewal.stop();
    state.isIdle = true;
    renewal.check();
    expect(state.renewals).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
