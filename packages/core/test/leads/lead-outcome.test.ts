import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { terminalStatus } from '../../src/calls/ending.ts';
import { newCallRecord } from '../../src/calls/record/call-record.ts';
import type { Call, EndReason } from '../../src/domain/calls/call.ts';
import type { CampaignRecord } from '../../src/domain/campaigns/campaign.ts';
import { leadAfterCall } from '../../src/leads/lead-outcome.ts';
import { sampleNumber } from '../support/sample-records.ts';

const clock = new VirtualClock(new Date('2026-01-01T12:00:00Z'));
const now = '2026-01-01T12:00:00.000Z';
type Rules = Pick<CampaignRecord, 'status' | 'retry_on' | 'max_attempts' | 'retry_delay_seconds'>;

const campaign: Rules = {
  status: 'running',
  retry_on: ['no_answer', 'busy', 'failed'],
  max_attempts: 3,
  retry_delay_seconds: 600,
};

function ended(reason: EndReason, isAnswered = false): Call {
  const call = newCallRecord({ id: 'c', direction: 'outbound', number: sampleNumber(), agent: null, clock });
  return { ...call, status: terminalStatus(reason), end_reason: reason, answered_at: isAnswered ? now : null };
}

function outcome(call: Call, changes: Partial<Rules> = {}, attempts = 1): [string, string | null | undefined] {
  const after = leadAfterCall({ ...campaign, ...changes }, { attempts, dial_failures: 0 }, call);
  return [after.status, after.next_attempt_at];
}

const later = '2026-01-01T12:10:00.000Z';

describe('a lead after its call', () => {
  it.each(['user_hangup', 'agent_hangup', 'api_hangup', 'transferred', 'max_duration', 'silence_timeout'] as const)(
    'is completed when the lead talked: %s',
    (reason) => {
      expect(outcome(ended(reason, true))).toEqual(['completed', null]);
    },
  );

  it.each(['no_answer', 'busy', 'transport_error', 'worker_lost', 'internal_error'] as const)(
    'is scheduled for a retry when the lead was not reached: %s',
    (reason) => {
      expect(outcome(ended(reason))).toEqual(['pending', later]);
    },
  );

  it('is scheduled for a retry when the conversation failed', () => {
    expect(outcome(ended('llm_error', true))).toEqual(['pending', later]);
    expect(outcome(ended('llm_error', true), { retry_on: ['busy'] })).toEqual(['failed', null]);
  });

  it.each(['declined', 'invalid_destination', 'canceled', 'api_hangup'] as const)(
    'fails without a retry: %s',
    (reason) => {
      expect(outcome(ended(reason))).toEqual(['failed', null]);
    },
  );

  it('fails after max_attempts', () => {
    expect(outcome(ended('busy'), {}, 2)).toEqual(['pending', later]);
    expect(outcome(ended('busy'), {}, 3)).toEqual(['failed', null]);
  });

  it('fails when the campaign does not retry that reason, or is cancelled', () => {
    expect(outcome(ended('busy'), { retry_on: ['no_answer'] })).toEqual(['failed', null]);
    expect(outcome(ended('busy'), { status: 'cancelled' })).toEqual(['failed', null]);
  });

  it('is completed at a voicemail, unless the campaign retries voicemails', () => {
    expect(outcome(ended('voicemail', true))).toEqual(['completed', null]);
    expect(outcome(ended('voicemail', true), { retry_on: ['voicemail'] })).toEqual(['pending', later]);
    expect(outcome(ended('voicemail', true), { retry_on: ['voicemail'] }, 3)).toEqual(['failed', null]);
  });
});
