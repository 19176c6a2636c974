import type { Ending } from '../conversation/state/phase.ts';
import type { CallStatus, EndReason } from '../domain/calls/call.ts';
import type { DialFailure, LegEnd } from '../ports/telephony.ts';

const failures: ReadonlySet<EndReason> = new Set<EndReason>([
  'rejected_inactive',
  'no_agent',
  'insufficient_credits',
  'concurrency_limit_exceeded',
  'no_answer',
  'busy',
  'declined',
  'invalid_destination',
  'dial_failed',
  'stt_error',
  'llm_error',
  'tts_error',
  'transport_error',
  'worker_lost',
  'service_shutdown',
  'internal_error',
]);

/** Returns the terminal status of an end reason. */
export function terminalStatus(reason: EndReason): Extract<CallStatus, 'ended' | 'failed'> {
  return failures.has(reason) ? 'failed' : 'ended';
}

/**
 * Returns the ending of a call whose leg was not ended by this side.
 * @param left end reason if the far end hung up
 */
export function legEnding(end: LegEnd, left: EndReason): Ending {
  if (end.cause === 'transport-error') return { reason: 'transport_error', error: end.message };
  if (end.cause === 'local-hangup') {
    return { reason: 'transport_error', error: 'The telephony adapter could not keep the call up.' };
  }
  return { reason: left, error: null };
}

const reasons: Readonly<Record<DialFailure, EndReason>> = {
  busy: 'busy',
  'no-answer': 'no_answer',
  declined: 'declined',
  'invalid-destination': 'invalid_destination',
  failed: 'dial_failed',
};

/** Returns the ending of an outbound call that was not answered. */
export function unansweredEnding({ why, message }: { why: DialFailure; message: string }): Ending {
  return { reason: reasons[why], error: message };
}

/** Returns a call's status in webhook form. */
export function webhookStatus(status: CallStatus): 'ringing' | 'in-progress' | 'ended' | 'ended-with-error' {
  if (status === 'failed') return 'ended-with-error';
  return status === 'queued' || status === 'connecting' ? 'ringing' : status;
}
