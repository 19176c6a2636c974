import { ScriptedOutgoingCall, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { OwnTrunkHealth } from '../../src/deployment/own-trunk-health.ts';
import { type NodeTrunkHealth, unknownTrunkHealth } from '../../src/domain/numbers/trunk-health.ts';
import type { DialRequest, LegEnd } from '../../src/ports/telephony.ts';

const trunk = { id: 'trunk', address: 'sip.example.com', transport: 'udp', credentials: null } as const;
const request: DialRequest = { callId: 'call', destination: '+31201234567', callerNumber: '+31201234568', trunk };

function dialed(known: OwnTrunkHealth, id = 'trunk'): { call: ScriptedOutgoingCall; ends: LegEnd[] } {
  const call = new ScriptedOutgoingCall('call', request);
  const ends: LegEnd[] = [];
  known.watch(id, call).onEnd((end) => ends.push(end));
  return { call, ends };
}

describe('the health of trunks of one process', () => {
  it('has the last answer and the last failure of the trunk, but no failure of the called person', async () => {
    const clock = new VirtualClock();
    const known = new OwnTrunkHealth(clock, []);
    const { call, ends } = dialed(known);
    call.pickUp();
    await clock.advance(1_000);
    expect(known.byTrunk().get('trunk')).toEqual({ ...unknownTrunkHealth, last_answer_at: '2026-01-01T09:00:00.000Z' });
    dialed(known).call.refuse('busy');
    dialed(known).call.refuse('failed', `503 ${'x'.repeat(300)}`);
    const health = known.byTrunk().get('trunk');
    expect(health?.last_failure?.at).toBe('2026-01-01T09:00:01.000Z');
    expect(health?.last_failure?.reason).toHaveLength(200);
    call.hangup();
    expect(ends).toHaveLength(1);
  });

  it('combines calls with probes of the adapters, and forgets the oldest of a thousand trunks', () => {
    const trunkHealth = new Map([['trunk', { state: 'reachable', round_trip_ms: 7 } as Partial<NodeTrunkHealth>]]);
    const known = new OwnTrunkHealth(new VirtualClock(), [{ trunkHealth }, {}]);
    known.failed('trunk', 'no route');
    expect(known.byTrunk().get('trunk')).toMatchObject({
      ...{ state: 'reachable', round_trip_ms: 7 },
      last_failure: { reason: 'no route' },
    });
    for (let at = 0; at < 1_000; at += 1) known.failed(`trunk ${at}`, 'no route');
    expect(known.byTrunk().get('trunk')?.last_failure).toBeNull();
    expect(known.byTrunk().size).toBe(1_000);
  });
});
