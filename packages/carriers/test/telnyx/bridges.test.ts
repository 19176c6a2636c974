import type { CarrierAccess } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import { Bridges } from '../../src/telnyx/bridges.ts';

const access = { id: 'trunk', type: 'telnyx' } as unknown as CarrierAccess<'telnyx'>;

function setup() {
  const clock = new VirtualClock();
  const bridges = new Bridges();
  const bridge = bridges.expect('caller', access, clock);
  const other = { call_control_id: 'other', client_state: bridge.clientState };
  return { clock, bridges, bridge, other };
}

it('bridge › fails when Telnyx never connects the destination', async () => {
  const { clock, bridges, bridge, other } = setup();
  bridges.of(other)?.receive('call.initiated', other);
  await clock.advance(40_000);
  expect([await bridge.outcome, bridge.otherLeg]).toEqual(['The destination was not connected in time.', 'other']);
  expect(bridges.of(other)).toBeNull();
});

it.each([
  ['the caller’s leg', { call_control_id: 'caller' }],
  ['the destination’s leg', null],
])('bridge › is done when %s is bridged', async (_, payload) => {
  const { bridges, bridge, other } = setup();
  bridges.of(payload ?? other)?.receive('call.bridged', payload ?? other);
  expect(await bridge.outcome).toBeNull();
});

it.each([
  ['user_busy', 'Telnyx: user_busy.'],
  ['timeout', 'Telnyx: timeout.'],
  ['normal_clearing', 'The destination has hung up.'],
])('bridge › fails when the destination ends with %s', async (hangup_cause, reason) => {
  const { bridges, bridge, other } = setup();
  bridges.of(other)?.receive('call.hangup', { ...other, hangup_cause });
  expect(await bridge.outcome).toBe(reason);
});

it('bridge › fails when the caller hangs up', async () => {
  const { bridges, bridge } = setup();
  const payload = { call_control_id: 'caller', hangup_cause: 'normal_clearing' };
  bridges.of(payload)?.receive('call.hangup', payload);
  expect(await bridge.outcome).toBe('The caller has hung up.');
});

it('bridge › is not found for events of other calls', () => {
  const { bridges } = setup();
  expect(bridges.of({ call_control_id: 'else', client_state: 'else' })).toBeNull();
  expect(bridges.of({ client_state: null })).toBeNull();
});
