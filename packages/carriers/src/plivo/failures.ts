import type { DialFailure } from '@va/core/adapter';
import type { CallReport } from '../shared/call/outgoing-call.ts';

/** Call failures by hang-up code. @see https://docs.plivo.com/docs/voice/troubleshooting/hangup-causes */
const codes: ReadonlyMap<string, DialFailure> = new Map([
  ['2000', 'invalid-destination'],
  ['2010', 'invalid-destination'],
  ['3000', 'no-answer'],
  ['3010', 'busy'],
  ['3020', 'declined'],
]);

const statuses: ReadonlyMap<string, DialFailure> = new Map([
  ['busy', 'busy'],
  ['no-answer', 'no-answer'],
  ['timeout', 'no-answer'],
  ['cancel', 'no-answer'],
  ['failed', 'failed'],
]);

/** Returns the report of a callback of an outbound call; null for other callbacks. */
export function reportOf(form: URLSearchParams): CallReport | null {
  const status = form.get('CallStatus') ?? '';
  const code = form.get('HangupCauseCode') ?? '';
  if (status === 'in-progress') return { type: 'answered' };
  if (status === 'completed') {
    return { type: 'ended', failure: null, message: 'The call ended before its media stream opened.' };
  }
  const failure = statuses.get(status);
  if (failure === undefined) return null;
  const detail = code === '' ? '' : ` (hang-up code ${code.slice(0, 10)})`;
  return { type: 'ended', failure: codes.get(code) ?? failure, message: `Plivo: ${status}${detail}.` };
}
