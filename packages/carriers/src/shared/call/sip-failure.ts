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

/** Returns the failure that a SIP status of the called network stands for. */
export function sipFailure(status: number): DialFailure {
  return failures[status] ?? 'failed';
}
