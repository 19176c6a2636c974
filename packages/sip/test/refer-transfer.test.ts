import { describe, expect, it } from 'vitest';
import type { ReferOptions, ReferOutcome } from '../src/dialog/session/outgoing-refer.ts';
import type { Session } from '../src/dialog/session/session.ts';
import { referTransfer } from '../src/refer-transfer.ts';

interface Requested {
  readonly target: string;
  readonly options: ReferOptions;
}

/** Requests a transfer of a call whose peer reports that outcome. */
async function transfer(
  destination: string,
  outcome: ReferOutcome = { type: 'accepted' },
  mode: 'blind' | 'warm' = 'blind',
) {
  const requested: Requested[] = [];
  const session: Pick<Session, 'refer'> = {
    refer: async (target, options = {}) => {
      requested.push({ target, options });
      return outcome;
    },
  };
  const { signal } = new AbortController();
  const request = referTransfer({
    session: () => session as Session,
    referredBy: 'sip:1@a.example',
    host: 'b.example',
  });
  const result = await request({ destination, mode, keysOnAnswer: null, summary: null, signal });
  return { result, requested, signal };
}

describe('referTransfer', () => {
  it.each([
    ['+31201234567', 'sip:+31201234567@b.example'],
    ['sip:carol@c.example', 'sip:carol@c.example'],
    ['SIPS:carol@c.example', 'SIPS:carol@c.example'],
  ])('refers the peer for %s to %s', async (destination, target) => {
    const { result, requested, signal } = await transfer(destination);
    expect(requested).toEqual([{ target, options: { referredBy: 'sip:1@a.example', signal } }]);
    expect(result).toEqual({ type: 'accepted' });
  });

  it.each<[ReferOutcome, unknown]>([
    [
      { type: 'refused', status: 486, reason: 'Busy Here' },
      { type: 'refused', reason: '486 Busy Here' },
    ],
    [
      { type: 'failed', message: 'No response.' },
      { type: 'failed', message: 'No response.' },
    ],
  ])('reports the outcome %j', async (outcome, expected) => {
    expect((await transfer('+31201234567', outcome)).result).toEqual(expected);
  });

  it('fails for a warm transfer, without a request to the peer', async () => {
    const { result, requested } = await transfer('+31201234567', { type: 'accepted' }, 'warm');
    expect([result.type, requested]).toEqual(['failed', []]);
  });

  it('fails once the call is over', async () => {
    const request = referTransfer({ session: () => null, referredBy: 'sip:1@a.example', host: 'b.example' });
    const { signal } = new AbortController();
    const options = { destination: '+31201234567', mode: 'blind', keysOnAnswer: null, summary: null, signal } as const;
    expect(await request(options)).toEqual({ type: 'failed', message: 'The call is over.' });
  });
});
