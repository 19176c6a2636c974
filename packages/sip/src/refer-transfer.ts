import type { MediaLeg, TransferOutcome } from '@va/core/adapter';
import type { Session } from './dialog/session/session.ts';

interface ReferTransfer {
  readonly session: () => Session | null;
  /** The referring party, as a SIP address. */
  readonly referredBy: string;
  /** Host for a target that is a number rather than a SIP address: the peer's own domain. */
  readonly host: string;
}

/**
 * Transfers a call by REFER (RFC 3515): the peer's network calls the target. This is a blind transfer; for a warm one,
 * or when the network does not support REFER, the service makes the call itself.
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
