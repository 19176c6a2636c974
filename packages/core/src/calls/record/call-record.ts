import { timestamp } from '../../clock/timestamp.ts';
import { callLatency } from '../../conversation/agent-turn/latency.ts';
import type { ConversationState } from '../../conversation/state/conversation-state.ts';
import type { Ending } from '../../conversation/state/phase.ts';
import { transcriptMessages } from '../../conversation/state/transcript.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import type { Call, CallDirection } from '../../domain/calls/call.ts';
import type { PhoneNumberRecord } from '../../domain/numbers/phone-number.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Party } from '../../ports/telephony.ts';
import { terminalStatus } from '../ending.ts';
import type { RedeemedGrant } from '../origin/redeemed-grant.ts';
import type { NumberRoute } from '../origin/routing.ts';

/** Maximum length of a party's name or number, which comes from the far end. */
const maxPartyLength = 255;

/** Returns the record of a new inbound call. */
export function newInboundCall(id: string, route: NumberRoute, from: Party, clock: Clock): Call {
  const { number, agent } = route;
  return {
    ...newCallRecord({ id, direction: 'inbound', number, agent, clock }),
    started_at: timestamp(clock),
    caller_phone: from.number.slice(0, maxPartyLength),
  };
}

/** Returns the record of a new web call. */
export function newWebCall({ record, agent }: Pick<RedeemedGrant, 'record' | 'agent'>, clock: Clock): Call {
  return {
    ...newCallRecord({ id: record.id, direction: 'web', number: null, agent, clock }),
    started_at: timestamp(clock),
    metadata: record.metadata ?? agent.metadata,
    variables: record.variables,
    publishable_key_id: record.publishable_key_id,
  };
}

/** Returns the record of a new call. `caller_phone` is the other party's number in both directions. */
export function newCallRecord(facts: {
  readonly id: string;
  readonly direction: CallDirection;
  /** Null for a web call. */
  readonly number: PhoneNumberRecord | null;
  readonly agent: Agent | null;
  readonly clock: Clock;
}): Call {
  const { id, direction, number, agent } = facts;
  const now = timestamp(facts.clock);
  return {
    id,
    caller_phone: null,
    assistant_phone: number?.number ?? null,
    status: 'connecting',
    error: null,
    started_at: null,
    answered_at: null,
    ended_at: null,
    duration_seconds: null,
    summary: null,
    analysis_result: null,
    analysis_status: null,
    analysis_error: null,
    messages: [],
    room_name: `call-${id}`,
    agent_id: agent?.id ?? null,
    number_id: number?.id ?? null,
    agent_name: agent?.name ?? null,
    business_name: agent?.business_name ?? null,
    phone_number: number?.number ?? null,
    direction,
    end_reason: null,
    recording_url: null,
    metadata: agent?.metadata ?? null,
    variables: null,
    campaign_id: null,
    lead_id: null,
    publishable_key_id: null,
    transfer_destination: null,
    cost: null,
    cost_breakdown: [],
    latency: null,
    media: null,
    erased_at: null,
    created_at: now,
    updated_at: now,
  };
}

/** Returns the changes to the record when the call is answered. */
export function answeredChanges(clock: Clock): Partial<Call> {
  const now = timestamp(clock);
  return { status: 'in-progress', answered_at: now, updated_at: now };
}

/** Returns the changes to the record when the call ends; `conversation` is null if none took place. */
export function endedChanges(
  call: Call,
  ending: Ending,
  conversation: ConversationState | null,
  recordingUrl: string | null,
  clock: Clock,
): Partial<Call> {
  const now = timestamp(clock);
  // Measured by the monotonic clock: an adjustment of the system clock must not change what the call costs.
  const lastedMs =
    call.answered_at === null || conversation === null ? 0 : clock.nowMs() - conversation.opening.answeredAtMs;
  return {
    status: terminalStatus(ending.reason),
    end_reason: ending.reason,
    error: ending.error,
    ended_at: now,
    duration_seconds: Math.round(lastedMs / 1_000),
    messages: conversation === null ? [] : transcriptMessages(conversation.entries),
    latency: conversation === null ? null : callLatency(conversation.latency),
    recording_url: recordingUrl,
    transfer_destination: conversation?.transfer.completedTo ?? null,
    updated_at: now,
  };
}
