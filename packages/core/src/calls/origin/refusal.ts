import type { Ending } from '../../conversation/state/phase.ts';
import type { EndReason } from '../../domain/calls/call.ts';
import { RequestError } from '../../errors.ts';
import type { RejectCause } from '../../ports/telephony.ts';

/** Thrown for a call that must not be answered; contains the cause sent to the caller. */
export class Refusal extends Error {
  readonly ending: Ending;
  readonly rejection: RejectCause;

  constructor(reason: EndReason, message: string, rejection: RejectCause) {
    super(message);
    this.ending = { reason, error: message };
    this.rejection = rejection;
  }
}

/** Returns the 409 error of a transfer requested during another one. */
export function transferring(callId: string): RequestError {
  return new RequestError(409, 'transfer_in_progress', `The caller of ${callId} is being transferred already.`);
}

/** Returns the 409 error of a command that needs the agent, while a person speaks in its place. */
export function takenOver(callId: string): RequestError {
  return new RequestError(409, 'call_taken_over', `A person has taken over the call ${callId}.`);
}

/** Returns the 409 error of a command that needs a live call. */
export function notActive(callId: string): RequestError {
  return new RequestError(409, 'call_not_active', `The call ${callId} is not in progress.`);
}
