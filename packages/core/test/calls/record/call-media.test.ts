import { systemClock } from '@va/core/adapter';
import { silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { readCallMedia } from '../../../src/calls/record/call-media.ts';
import { PhoneCall } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { keep } = phoneCalls();
const counted = {
  received: { packets: 500, packetsLost: 4, packetsDropped: 1, jitterMs: 3.14 },
  sent: { packets: 510, packetsLost: 2, jitterMs: 7.77 },
  roundTripMs: 41.26,
};
const recorded = {
  received: { packets: 500, packets_lost: 4, packets_dropped: 1, jitter_ms: 3.1 },
  sent: { packets: 510, packets_lost: 2, jitter_ms: 7.8 },
  round_trip_ms: 41.3,
};

describe('media statistics of a call record', () => {
  async function endedWith(statistics: unknown): Promise<PhoneCall> {
    const call = keep(new PhoneCall());
    Object.assign(call.incoming, { statistics });
    await call.prepare();
    await call.dial();
    call.incoming.leave();
    await call.nothing(2_000);
    return call;
  }

  it('are read from the leg after its end', async () => {
    const call = await endedWith(async () => counted);
    expect(call.ended).toMatchObject({ end_reason: 'user_hangup', media: recorded });
    const stored = await call.va.operations.calls.get(call.orgId, call.ended?.id ?? '');
    expect(stored.media).toEqual(recorded);
  });

  it.each([
    ['has no statistics', undefined],
    ['has counted no packets', async () => null],
    ['rejects', () => Promise.reject(new Error('gone'))],
    ['never resolves', () => new Promise(() => {})],
  ])('are null when the leg %s', async (_, statistics) => {
    const call = await endedWith(statistics);
    expect(call.ended).toMatchObject({ status: 'ended', media: null });
  });

  it('keep null for values that the far end did not report', async () => {
    const quiet = { ...counted, sent: { packets: 3, packetsLost: null, jitterMs: null }, roundTripMs: null };
    const call = await endedWith(async () => quiet);
    expect(call.ended?.media).toMatchObject({ sent: { packets_lost: null, jitter_ms: null }, round_trip_ms: null });
  });
});

it('readCallMedia returns null when the call never had a leg', async () => {
  expect(await readCallMedia(null, { clock: systemClock, logger: silentLogger })).toBeNull();
});
