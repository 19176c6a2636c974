import type { CallStatus, EndReason } from '../domain/call.ts';
import type { LegEnd } from '../ports/telephony.ts';

const failures: ReadonlySet<EndReason> = new Set<EndReason>([
  'rejected_inactive',
  'no_agent',
  'insufficient_credits',
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
  'internal_error',
]);

/** The terminal status that an end reason leads to. */
export function terminalStatus(reason: EndReason): Extract<CallStatus, 'ended' | 'failed'> {
  return failures.has(reason) ? 'failed' : 'ended';
}

/** What the end of the leg means for an inbound call that this side has not hung up. */
export function legEnding(end: LegEnd, answered: boolean): { reason: EndReason; error: string | null } {
  if (end.cause === 'transport-error') return { reason: 'transport_error', error: end.message };
  if (end.cause === 'local-hangup') {
    return { reason: 'transport_error', error: 'The telephony adapter could not keep the call up.' };
  }
  return { reason: answered ? 'user_hangup' : 'caller_abandoned', error: null };
}

/** A call's status as webhooks name it. */
export function webhookStatus(status: CallStatus): 'ringing' | 'in-progress' | 'ended' | 'ended-with-error' {
  if (status === 'failed') return 'ended-with-error';
  return status === 'queued' || status === 'connecting' ? 'ringing' : status;
}
