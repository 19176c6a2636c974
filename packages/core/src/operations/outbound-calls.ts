import type { z } from 'zod';
import type { CallControl } from '../calls/call-control.ts';
import { newCallRecord } from '../calls/call-record.ts';
import { type PassedLimit, passedLimit } from '../calls/limits.ts';
import type { OutboundRequest } from '../calls/placing.ts';
import { timestamp } from '../clock/timestamp.ts';
import { type Agent, agentDefaults } from '../domain/agent.ts';
import type { Call } from '../domain/call.ts';
import type { OrganizationRecord } from '../domain/organization.ts';
import { type OutboundAnswer, outboundCallSchema } from '../domain/outbound-call.ts';
import type { PhoneNumberRecord } from '../domain/phone-number.ts';
import type { SipTrunkRecord } from '../domain/sip-trunk.ts';
import { RequestError } from '../errors.ts';
import { uuidv7 } from '../ids.ts';
import type { Records } from '../ports/storage/storage.ts';
import type { RecordDependencies } from './dependencies.ts';
import { found } from './found.ts';
import { given } from './given.ts';
import { parseInput } from './parse-input.ts';
import { invalidReference } from './references.ts';

const defaultRingTimeoutSeconds = 60;
/** Numbers looked through for one that can dial out. */
const maxNumbers = 1_000;

type Written = z.output<typeof outboundCallSchema>;

/**
 * Places a call. Throws `RequestError`: 400 for the input, 402 `insufficient_credits`, 409 `agent_inactive`, 422
 * `no_outbound_number` or `no_trunk`, 429 `concurrency_limit_exceeded`, 503 `unavailable` where there is no room for it.
 */
export async function placeCall(
  deps: RecordDependencies & { readonly control: CallControl },
  orgId: string,
  input: unknown,
): Promise<OutboundAnswer> {
  const { storage, clock, random, control } = deps;
  const written = parseInput(outboundCallSchema, input);
  const organization = found(await storage.organizations.get(orgId, orgId), 'organization', orgId);
  const id = uuidv7(clock, random);
  const now = timestamp(clock);
  const agent = await callingAgent(storage, organization, written, { id, created_at: now, updated_at: now });
  const { number, trunk } = await outboundLine(storage, orgId, written);
  const call: Call = {
    ...newCallRecord({ id, direction: 'outbound', number, agent: null, clock }),
    status: 'queued',
    caller_phone: written.destination,
    agent_id: written.agent_id ?? null,
    agent_name: agent.name,
    business_name: agent.business_name,
    metadata: written.metadata ?? agent.metadata,
    variables: written.variables ?? null,
  };
  const room = await control.takeRoom();
  try {
    await storage.transaction(async (tx) => {
      const limit = await passedLimit(tx, orgId);
      if (limit !== null) throw limitError(limit);
      await tx.calls.insert(orgId, { ...call, node_id: control.nodeId });
    });
  } catch (error) {
    room.give();
    throw error;
  }
  const ringTimeoutSeconds = written.ring_timeout_seconds ?? defaultRingTimeoutSeconds;
  const request: OutboundRequest = {
    call,
    organization,
    agent,
    destination: written.destination,
    number,
    trunk,
    ringTimeoutSeconds,
  };
  control.place(request, room);
  return { success: true, call_id: call.id, room_name: call.room_name, status: 'dialing' };
}

/** The saved agent with what is written over it, or the one that is written. */
async function callingAgent(
  records: Records,
  organization: OrganizationRecord,
  written: Written,
  inline: Pick<Agent, 'id' | 'created_at' | 'updated_at'>,
): Promise<Agent> {
  const { agent_id, agent, agent_override, first_message, max_duration_seconds } = written;
  const last = given({ first_message, max_duration_seconds });
  if (agent_id === undefined) {
    const unsaved = { name: 'Outbound call', ...agentDefaults, webhook_secret: organization.webhook_secret ?? '' };
    return { ...unsaved, ...given(agent ?? {}), ...last, ...inline };
  }
  const saved = await records.agents.get(organization.id, agent_id);
  if (saved === null) throw invalidReference('agent_id', agent_id);
  if (!saved.is_active) throw new RequestError(409, 'agent_inactive', `The agent ${agent_id} is not active.`);
  return { ...saved, ...given(agent_override ?? {}), ...last };
}

/** The number to dial from, and the trunk to dial through. */
async function outboundLine(
  records: Records,
  orgId: string,
  { number_id, agent_id }: Written,
): Promise<{ number: PhoneNumberRecord; trunk: SipTrunkRecord }> {
  const trunks = await records.trunks.list(orgId, { where: { is_active: true }, limit: 1_000 });
  const trunkOf = (number: PhoneNumberRecord): SipTrunkRecord | undefined =>
    trunks.find((trunk) => trunk.numbers.includes(number.number)) ??
    trunks.find((trunk) => trunk.id === number.transfer_trunk_id);
  const chosen = number_id === undefined ? undefined : await chosenNumber(records, orgId, number_id);
  if (chosen !== undefined) {
    const trunk = trunkOf(chosen);
    if (trunk !== undefined) return { number: chosen, trunk };
    throw new RequestError(422, 'no_trunk', `No active SIP trunk carries ${chosen.number}.`);
  }
  const active = await records.numbers.list(orgId, { where: { is_active: true }, limit: maxNumbers });
  const ownFirst = [...active].sort((a, b) => Number(b.agent_id === agent_id) - Number(a.agent_id === agent_id));
  for (const number of ownFirst) {
    const trunk = trunkOf(number);
    if (trunk !== undefined) return { number, trunk };
  }
  const message = 'The organization has no active number with an active SIP trunk to dial out from.';
  throw new RequestError(422, 'no_outbound_number', message);
}

async function chosenNumber(records: Records, orgId: string, id: string): Promise<PhoneNumberRecord> {
  const number = await records.numbers.get(orgId, id);
  if (number === null) throw invalidReference('number_id', id);
  if (number.is_active) return number;
  throw new RequestError(422, 'no_outbound_number', `The number ${number.number} is not active.`);
}

function limitError({ reason, message }: PassedLimit): RequestError {
  if (reason === 'insufficient_credits') return new RequestError(402, reason, message);
  return new RequestError(429, reason, message, [], { retryAfterSeconds: 5 });
}
