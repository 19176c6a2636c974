import type { DialFailure } from '@va/core/adapter';

const failures: Readonly<Record<number, DialFailure>> = {
  404: 'invalid-destination',
  484: 'invalid-destination',
  604: 'invalid-destination',
  603: 'declined',
  607: 'declined',
  608: 'declined',
  486: 'busy',
  600: 'busy',
  408: 'no-answer',
  480: 'no-answer',
  487: 'no-answer',
};

/** Returns the call failure for a SIP status of the called network. */
export function sipFailure(status: number): DialFailure {
  return failures[status] ?? 'failed';
}
