import type { Ending } from '../../conversation/config.ts';
import type { EndReason } from '../../domain/calls/call.ts';
import { RequestError } from '../../errors.ts';
import type { RejectCause } from '../../ports/telephony.ts';

/** A call that is not to be answered, and how the caller is told. */
export class Refusal extends Error {
  readonly ending: Ending;
  readonly rejection: RejectCause;

  constructor(reason: EndReason, message: string, rejection: RejectCause) {
    super(message);
    this.ending = { reason, error: message };
    this.rejection = rejection;
  }
}

/** The 409 for a second transfer beside one that is going on. */
export function transferring(callId: string): RequestError {
  return new RequestError(409, 'transfer_in_progress', `The caller of ${callId} is being transferred already.`);
}

/** The 409 for what can only be done with a call that is going on. */
export function notActive(callId: string): RequestError {
  return new RequestError(409, 'call_not_active', `The call ${callId} is not in progress.`);
}
