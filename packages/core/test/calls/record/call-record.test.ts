import { sampleAgent, sampleCall, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import {
  answeredChanges,
  endedChanges,
  newCallRecord,
  newInboundCall,
  newWebCall,
} from '../../../src/calls/record/call-record.ts';
import { shownCall } from '../../../src/domain/calls/call.ts';
import { organizationOf, orgId } from '../../operations/support.ts';
import { openConversation, replied, said } from '../../support/conversation-state.ts';
import { recordId, sampleNumber, startedAt } from '../../support/sample-records.ts';

const clock = new VirtualClock();
const agent = sampleAgent({ name: 'Anna', business_name: 'Harbour', metadata: { shop: 7 } });
const number = sampleNumber();
const party = { number: '+31612345678', displayName: null, uri: 'sip:+31612345678@example.com' };

describe('the record of a new call', () => {
  it('has the names of its agent at that time, and the number of the line', () => {
    const call = newCallRecord({ id: recordId('7'), direction: 'inbound', number, agent, clock });
    expect(call).toMatchObject({
      status: 'connecting',
      agent_id: agent.id,
      agent_name: 'Anna',
      business_name: 'Harbour',
      metadata: { shop: 7 },
      number_id: number.id,
      assistant_phone: number.number,
      room_name: `call-${recordId('7')}`,
      created_at: startedAt,
    });
  });

  it('has a truncated number of the caller, because the far end sets it', () => {
    const route = { organization: organizationOf(orgId, clock), number, agent: null };
    const from = { ...party, number: 'x'.repeat(300) };
    expect(newInboundCall(recordId('7'), route, from, clock).caller_phone).toHaveLength(255);
    expect(newInboundCall(recordId('7'), route, party, clock)).toMatchObject({
      caller_phone: party.number,
      agent_id: null,
      started_at: startedAt,
    });
  });

  it('takes variables and metadata of a web call from its token, and the agent’s metadata by default', () => {
    const record = {
      id: recordId('8'),
      token_hash: '',
      agent_id: agent.id,
      variables: { name: 'Jan' },
      metadata: null,
      publishable_key_id: recordId('5'),
      origin: null,
      expires_at: startedAt,
      created_at: startedAt,
    };
    expect(newWebCall({ record, agent }, clock)).toMatchObject({
      id: record.id,
      direction: 'web',
      variables: { name: 'Jan' },
      metadata: { shop: 7 },
      publishable_key_id: recordId('5'),
      number_id: null,
      assistant_phone: null,
    });
    const page = { ...record, metadata: { page: '/' } };
    expect(newWebCall({ record: page, agent }, clock).metadata).toEqual({ page: '/' });
  });
});

describe('the end of a call', () => {
  const hangup = { reason: 'user_hangup', error: null } as const;

  it('has the duration by the monotonic clock, whatever the system clock was set to', async () => {
    const running = new VirtualClock();
    await running.advance(100_400);
    const conversation = openConversation();
    const answered = { ...conversation, opening: { ...conversation.opening, answeredAtMs: 10_000 } };
    // An hour off, as after an adjustment of the system clock.
    const call = shownCall(sampleCall({ answered_at: '2026-01-01T08:00:00.000Z' }));
    expect(endedChanges(call, hangup, answered, null, running)).toMatchObject({
      status: 'ended',
      end_reason: 'user_hangup',
      duration_seconds: 90,
      ended_at: '2026-01-01T09:01:40.400Z',
    });
  });

  it('has what was said and heard, and where the caller was transferred to', () => {
    const entries = [said('Sales, please.'), replied('One moment. I', { heard: 'One moment.' })];
    const transfer = { active: null, completedTo: '+31205550100' };
    const changes = endedChanges(
      shownCall(sampleCall({ answered_at: startedAt })),
      { reason: 'transferred', error: null },
      openConversation({ entries, transfer }),
      'https://va.test/recording',
      clock,
    );
    expect(changes).toMatchObject({
      messages: [
        { role: 'user', content: 'Sales, please.' },
        { role: 'assistant', content: 'One moment.' },
      ],
      transfer_destination: '+31205550100',
      recording_url: 'https://va.test/recording',
    });
  });

  it('has no duration without an answer, or without a conversation', () => {
    const busy = { reason: 'busy', error: '486' } as const;
    const unanswered = shownCall(sampleCall());
    expect(endedChanges(unanswered, busy, openConversation(), null, clock)).toMatchObject({
      status: 'failed',
      error: '486',
      duration_seconds: 0,
    });
    const answered = shownCall(sampleCall({ answered_at: startedAt }));
    expect(endedChanges(answered, hangup, null, null, clock)).toMatchObject({
      duration_seconds: 0,
      messages: [],
      latency: null,
      transfer_destination: null,
    });
  });
});

describe('answeredChanges', () => {
  it('puts the call in progress', () => {
    expect(answeredChanges(clock)).toEqual({ status: 'in-progress', answered_at: startedAt, updated_at: startedAt });
  });
});
