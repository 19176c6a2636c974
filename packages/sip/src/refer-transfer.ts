import type { MediaLeg, TransferOutcome } from '@va/core';
import type { Session } from './dialog/session/session.ts';

interface ReferTransfer {
  readonly session: () => Session | null;
  /** Who asks, as a SIP address. */
  readonly referredBy: string;
  /** Where a number that is not a SIP address is to be asked for: the far end's own domain. */
  readonly host: string;
}

/**
 * Has the far end's network call somebody else in our place (RFC 3515). It asks nobody first: for that, and where the
 * network does not know REFER, the service calls by itself.
 */
export function referTransfer({ session, referredBy, host }: ReferTransfer): NonNullable<MediaLeg['transfer']> {
  return async ({ destination, mode, signal }): Promise<TransferOutcome> => {
    const current = session();
    if (current === null) return { type: 'failed', message: 'The call is over.' };
    if (mode === 'warm') return { type: 'failed', message: 'A warm transfer needs a transfer trunk of the number.' };
    const target = /^sips?:/i.test(destination) ? destination : `sip:${destination}@${host}`;
    const outcome = await current.refer(target, { referredBy, signal });
    if (outcome.type !== 'refused') return outcome;
    return { type: 'refused', reason: `${outcome.status} ${outcome.reason}` };
  };
}
