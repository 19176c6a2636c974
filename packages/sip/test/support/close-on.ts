import type { VirtualClock } from '@va/testkit';
import type { SipTelephony } from '../../src/sip.ts';

/** Longest wait of a closing agent for the responses to its BYEs. */
export const closeTimeoutMs = 1_000;

/** Closes an adapter that runs on a virtual clock, also if a peer does not answer its BYE. */
export async function closeOn(clock: VirtualClock, telephony: SipTelephony): Promise<void> {
  const closing = telephony.close();
  await clock.advance(closeTimeoutMs);
  await closing;
}
