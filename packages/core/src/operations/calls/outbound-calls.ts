import type { z } from 'zod';
import type { CallControl } from '../../calls/call-control.ts';
import { type PassedLimit, passedLimit } from '../../calls/limits/limits.ts';
import { outboundLine, trunkCallsLeft } from '../../calls/line/outbound-line.ts';
import { requireComplete } from '../../calls/origin/agent-completeness.ts';
import { defaultRingTimeoutSeconds, type OutboundRequest } from '../../calls/origin/placing.ts';
import { newCallRecord } from '../../calls/record/call-record.ts';
import { timestamp } from '../../clock/timestamp.ts';
import type { OrganizationRecord } from '../../domain/accounts/organization.ts';
import { type Agent, agentDefaults } from '../../domain/agents/agent.ts';
import { keepModelSecrets } from '../../domain/agents/model-secrets.ts';
import type { Call } from '../../domain/calls/call.ts';
import { type NewOutboundCall, type OutboundAnswer, outboundCallSchema } from '../../domain/calls/outbound-call.ts';
import { RequestError } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { parseInput } from '../../input/parse-input.ts';
import { invalidReference } from '../../input/references.ts';
import { requireFound } from '../../input/require-found.ts';
import type { Records } from '../../ports/storage/records.ts';
import { checkAgent } from '../agents/agent-checks.ts';
import type { RecordDependencies } from '../dependencies.ts';
import { limitError } from '../limit-error.ts';
import type { CallOperationsDependencies } from './call-operations-dependencies.ts';

type PlacingDependencies = RecordDependencies & { readonly control: CallControl } & Pick<
    CallOperationsDependencies,
    'providers' | 'checkedProviders' | 'schemas' | 'tools' | 'clips' | 'destinations'
  >;
type WrittenCall = z.output<typeof outboundCallSchema>;

/**
 * Places a call.
 * @throws RequestError 400 for the input, 402 `insufficient_credits`, 403 `destination_not_allowed`, 409
 *   `agent_inactive`, 422 `agent_incomplete`, `no_outbound_number` or `no_trunk`, 429 `concurrency_limit_exceeded` or
 *   `too_many_ringing_calls`, 503 `unavailable` without capacity
 */
export async function placeCall(
  deps: PlacingDependencies,
  orgId: string,
  input: NewOutboundCall,
): Promise<OutboundAnswer> {
  const { storage, clock, random, control } = deps;
  const written = parseInput(outboundCallSchema, input);
  const { schemas, checkedProviders, tools, clips } = deps;
  const { budget } = written;
  await checkAgent(omitUndefined({ ...(written.agent ?? written.agent_override), ...omitUndefined({ budget }) }), {
    orgId,
    currency: deps.currency,
    schemas,
    tools,
    clips,
    providers: checkedProviders,
  });
  const organization = requireFound(await storage.organizations.get(orgId, orgId), 'organization', orgId);
  const id = uuidv7(clock, random);
  const now = timestamp(clock);
  const agent = await callingAgent(storage, organization, written, { id, created_at: now, updated_at: now });
  const { number, trunk } = await outboundLine(storage, orgId, {
    numberId: written.number_id,
    agentId: written.agent_id,
  });
  requireComplete(agent, deps.providers);
  const planned = { orgId, callId: id, destination: written.destination, purpose: 'call' } as const;
  const refusal = await deps.destinations?.refusal(planned);
  if (refusal) throw new RequestError(403, 'destination_not_allowed', refusal);
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
  const slot = await control.acquireSlot(organization);
  try {
    await storage.transaction(async (tx) => {
      const limit = await passedLimit(tx, orgId);
      if (limit !== null) throw limitError(limit);
      if ((await trunkCallsLeft(tx, orgId, trunk)) <= 0) throw limitError(trunkIsFull);
      const started = { node_id: control.nodeId, webhook_sequence: 0, reserved_seconds: null };
      await tx.calls.insert(orgId, { ...call, ...started });
    });
  } catch (error) {
    slot.release();
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
    keysOnAnswer: written.send_digits ?? null,
  };
  control.place(request, slot);
  return { success: true, call_id: call.id, room_name: call.room_name, status: 'dialing' };
}

/** Returns the saved agent with the overrides of the request, or the agent given in the request. */
async function callingAgent(
  records: Records,
  organization: OrganizationRecord,
  written: WrittenCall,
  inline: Pick<Agent, 'id' | 'created_at' | 'updated_at'>,
): Promise<Agent> {
  const { agent_id, agent, agent_override, first_message, max_duration_seconds, budget } = written;
  const last = omitUndefined({ first_message, max_duration_seconds, budget });
  if (agent_id === undefined) {
    const unsaved = { name: 'Outbound call', ...agentDefaults, webhook_secret: organization.webhook_secret ?? '' };
    return { ...unsaved, ...omitUndefined(agent ?? {}), ...last, ...inline };
  }
  const saved = await records.agents.get(organization.id, agent_id);
  if (saved === null) throw invalidReference('agent_id', agent_id);
  if (!saved.is_active) throw new RequestError(409, 'agent_inactive', `The agent ${agent_id} is not active.`);
  const changes = omitUndefined(agent_override ?? {});
  return { ...saved, ...changes, ...keepModelSecrets(changes, saved), ...last };
}

const trunkIsFull: PassedLimit = {
  reason: 'concurrency_limit_exceeded',
  message: 'The SIP trunk has reached its limit of concurrent calls.',
};
