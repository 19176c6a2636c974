import type { Ending } from '../conversation/config.ts';
import type { EndReason } from '../domain/call.ts';
import type { RejectCause } from '../ports/telephony.ts';

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
