import { memory } from '@va/storage/memory';
import { sampleAgent, sampleCall, scriptedLlm, scriptedStt, scriptedTts, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallControl } from '../../../src/calls/call-control.ts';
import type { OutboundRequest } from '../../../src/calls/origin/placing.ts';
import type { OrganizationRecord } from '../../../src/domain/accounts/organization.ts';
import type { Call } from '../../../src/domain/calls/call.ts';
import type { NewOutboundCall, OutboundAnswer } from '../../../src/domain/calls/outbound-call.ts';
import { RequestError } from '../../../src/errors.ts';
import { systemRandom } from '../../../src/ids.ts';
import { placeCall } from '../../../src/operations/calls/outbound-calls.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { recordId, sampleNumber, sampleTrunk, startedAt } from '../../support/sample-records.ts';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, organizationOf, orgId, otherOrgId, refusal, unknownId } from '../support.ts';

type Dependencies = Parameters<typeof placeCall>[0];

const agentId = recordId('a');
const destination = '+31687654321';
const scripted = { provider: 'scripted' };
const number = sampleNumber();
const trunk = sampleTrunk({ numbers: [number.number] });

let clock: VirtualClock;
let storage: Storage;
let placed: OutboundRequest[];
let slots: { organization: string; isFree: boolean }[];
let isFull: boolean;

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  [placed, slots, isFull] = [[], [], false];
  await storage.organizations.insert(orgId, organizationOf(orgId, clock));
  await storage.agents.insert(
    orgId,
    sampleAgent({
      id: agentId,
      name: 'Anna',
      business_name: 'Harbour',
      first_message: 'Hello.',
      metadata: { of: 'agent' },
      llm_config: untyped({ provider: 'scripted', messages: [], tools: [] }),
    }),
  );
  await storage.numbers.insert(orgId, number);
  await storage.trunks.insert(orgId, trunk);
});

function place(input: Partial<NewOutboundCall> = {}, deps: Partial<Dependencies> = {}): Promise<OutboundAnswer> {
  const control: Pick<CallControl, 'nodeId' | 'acquireSlot' | 'place'> = {
    nodeId: recordId('e'),
    async acquireSlot({ id }) {
      if (isFull) throw new RequestError(503, 'unavailable', 'The process is full.');
      const slot = { organization: id, isFree: false };
      slots.push(slot);
      return {
        release() {
          slot.isFree = true;
        },
      };
    },
    place: (request) => void placed.push(request),
  };
  return placeCall(
    {
      storage,
      clock,
      random: systemRandom,
      control: untyped(control),
      schemas: { faultsOf: async () => [] },
      ...deps,
    },
    orgId,
    { destination, ...('agent' in input ? {} : { agent_id: agentId }), ...input },
  );
}

async function stored(): Promise<Call[]> {
  return [...(await storage.calls.list(orgId, { limit: 10 }))];
}

async function change(changes: Partial<OrganizationRecord>): Promise<void> {
  await storage.organizations.update(orgId, orgId, changes);
}

async function refused(input: Partial<NewOutboundCall> = {}, deps: Partial<Dependencies> = {}): Promise<unknown[]> {
  const { status, code } = await refusal(place(input, deps));
  return [status, code];
}

/** The agent of the one call that was placed. */
function calling(): OutboundRequest['agent'] {
  const [request] = placed;
  if (request === undefined || placed.length > 1) throw new Error(`${placed.length} calls were placed`);
  return request.agent;
}

describe('the record of a placed call', () => {
  it('is stored before it is dialed, as a call of this process', async () => {
    const answer = await place();
    const [call] = await stored();
    expect(answer).toEqual({ success: true, call_id: call?.id, room_name: call?.room_name, status: 'dialing' });
    expect(call).toMatchObject({
      direction: 'outbound',
      status: 'queued',
      caller_phone: destination,
      assistant_phone: number.number,
      agent_id: agentId,
      agent_name: 'Anna',
      business_name: 'Harbour',
      number_id: number.id,
      node_id: recordId('e'),
      variables: null,
      created_at: startedAt,
      answered_at: null,
    });
    expect(placed).toMatchObject([
      { call: { id: call?.id }, destination, number, trunk, organization: { id: orgId }, keysOnAnswer: null },
    ]);
  });

  it('has the variables and the metadata of the request', async () => {
    await place({ variables: { name: 'Ann' }, metadata: { order: 7 } });
    expect(await stored()).toMatchObject([{ variables: { name: 'Ann' }, metadata: { order: 7 } }]);
  });

  it('has the metadata of the agent if the request has none', async () => {
    await place();
    expect(await stored()).toMatchObject([{ metadata: { of: 'agent' } }]);
  });

  it('has the number in E.164', async () => {
    await place({ destination: '+31 6 8765-4321' });
    expect(await stored()).toMatchObject([{ caller_phone: destination }]);
    expect(placed[0]?.destination).toBe(destination);
  });
});

describe('a placed call', () => {
  it('rings for the requested time, and presses the requested keys', async () => {
    await place({ ring_timeout_seconds: 15, send_digits: 'ww204' });
    expect(placed).toMatchObject([{ ringTimeoutSeconds: 15, keysOnAnswer: 'ww204' }]);
  });

  it('rings for a minute if the request has no time', async () => {
    await place();
    expect(placed).toMatchObject([{ ringTimeoutSeconds: 60 }]);
  });

  it('is placed from the requested number', async () => {
    const other = sampleNumber({ id: recordId('1', 2), number: '+31201234568', transfer_trunk_id: trunk.id });
    await storage.numbers.insert(orgId, other);
    await place({ number_id: other.id });
    expect(placed).toMatchObject([{ number: { id: other.id }, trunk: { id: trunk.id } }]);
  });

  it('keeps its slot of the organization until it ends', async () => {
    await place();
    expect(slots).toEqual([{ organization: orgId, isFree: false }]);
  });
});

describe('the agent of a placed call', () => {
  it('has what the request replaces, and keeps the rest', async () => {
    await place({
      agent_override: { name: 'Bea', first_message: 'Good day.' },
      first_message: 'Good evening.',
      max_duration_seconds: 60,
    });
    expect(calling()).toMatchObject({
      id: agentId,
      name: 'Bea',
      first_message: 'Good evening.',
      max_duration_seconds: 60,
      business_name: 'Harbour',
      webhook_secret: 'whsec_c2VjcmV0',
    });
    expect(await storage.agents.get(orgId, agentId)).toMatchObject({ name: 'Anna', first_message: 'Hello.' });
  });

  it('keeps the key of its own endpoint when the request writes the model without it', async () => {
    const endpoint = { provider: 'openai-compatible', url: 'https://llm.example.com/v1', model: 'm' };
    const secret = { ...endpoint, headers: { Authorization: 'Bearer key' }, messages: [], tools: [] };
    await storage.agents.update(orgId, agentId, { llm_config: untyped(secret) });
    await place({ agent_override: untyped({ llm_config: { ...endpoint, messages: [] } }) });
    expect(calling().llm_config).toMatchObject({ headers: { Authorization: 'Bearer key' } });
  });

  it('has no budget if the request sets it to null', async () => {
    await storage.agents.update(orgId, agentId, { budget: untyped({ max_cost: 1, currency: 'EUR' }) });
    await place({ budget: null });
    expect(calling().budget).toBeNull();
  });

  it('is the agent of the request, with defaults and the webhook secret of the organization', async () => {
    await change({ webhook_secret: 'whsec_b3Jn' });
    const answer = await place({ agent: { first_message: 'Hi.', business_name: 'Shop' } });
    expect(calling()).toMatchObject({
      id: answer.call_id,
      name: 'Outbound call',
      first_message: 'Hi.',
      business_name: 'Shop',
      webhook_secret: 'whsec_b3Jn',
      is_active: true,
      created_at: startedAt,
    });
    expect(await stored()).toMatchObject([{ agent_id: null, agent_name: 'Outbound call', business_name: 'Shop' }]);
    expect(await storage.agents.count(orgId, {})).toBe(1);
  });
});

describe('no call is placed', () => {
  it.each<[string, Partial<NewOutboundCall>, string[]]>([
    ['a saved agent that does not exist', { agent_id: unknownId }, ['agent_id invalid_reference']],
    ['a number that does not exist', { number_id: unknownId }, ['number_id invalid_reference']],
    ['both agents', { agent_id: agentId, agent: {} }, ['agent invalid_field']],
    ['no number', { destination: 'Ann' }, ['destination invalid_phone_number']],
    ['a short ring time', { ring_timeout_seconds: 4 }, ['ring_timeout_seconds invalid_field']],
    ['a long ring time', { ring_timeout_seconds: 301 }, ['ring_timeout_seconds invalid_field']],
    ['a short call', { max_duration_seconds: 9 }, ['max_duration_seconds invalid_field']],
    ['a name of a variable without letters', { variables: { '': 1 } }, ['variables. invalid_field']],
    ['other keys than those of a telephone', { send_digits: 'x' }, ['send_digits invalid_field']],
  ])('with %s', async (_case, input, faults) => {
    const error = await refusal(place(input));
    expect([error.status, faultsOf(error)]).toEqual([400, faults]);
    expect([placed, slots]).toEqual([[], []]);
  });

  it('by an agent of another organization', async () => {
    const foreign = sampleAgent({ id: unknownId });
    await storage.organizations.insert(otherOrgId, organizationOf(otherOrgId, clock));
    await storage.agents.insert(otherOrgId, foreign);
    expect(faultsOf(await refusal(place({ agent_id: unknownId })))).toEqual(['agent_id invalid_reference']);
  });

  it('by an agent that is not active', async () => {
    await storage.agents.update(orgId, agentId, { is_active: false });
    expect(await refused()).toEqual([409, 'agent_inactive']);
  });

  it('by an agent that lacks what a conversation needs', async () => {
    const providers = [scriptedLlm([]), scriptedStt(), scriptedTts()];
    expect(await refused({}, { providers })).toEqual([422, 'agent_incomplete']);
    await place({ agent_override: { stt_config: scripted, tts_config: scripted } }, { providers });
    expect(placed).toHaveLength(1);
  });

  it('to a destination that the host refuses', async () => {
    const allows = vi.fn(async () => 'Calls abroad are not allowed.');
    const error = await refusal(place({}, { destinations: { refusal: allows } }));
    expect([error.status, error.code, error.message]).toEqual([
      403,
      'destination_not_allowed',
      'Calls abroad are not allowed.',
    ]);
    expect(allows).toHaveBeenCalledWith({ orgId, callId: expect.any(String), destination, purpose: 'call' });
    expect([placed, slots, await stored()]).toEqual([[], [], []]);
  });

  it('without a line to dial out', async () => {
    await storage.trunks.update(orgId, trunk.id, { is_active: false });
    expect(await refused()).toEqual([422, 'no_outbound_number']);
  });

  it('while the process is full', async () => {
    isFull = true;
    expect(await refused()).toEqual([503, 'unavailable']);
    expect(await stored()).toEqual([]);
  });

  it.each<[string, Partial<OrganizationRecord>, unknown[]]>([
    ['minutes', { minutes_balance: 0 }, [402, 'insufficient_credits']],
    ['credit', { credit_balance: -1 }, [402, 'insufficient_credits']],
    ['another call', { concurrency_limit: 0 }, [429, 'concurrency_limit_exceeded']],
  ])('by an organization without %s, and the slot is freed', async (_what, changes, expected) => {
    await change(changes);
    expect(await refused()).toEqual(expected);
    expect(slots).toEqual([{ organization: orgId, isFree: true }]);
    expect([placed, await stored()]).toEqual([[], []]);
  });

  it('through a trunk at its limit of calls, and the slot is freed', async () => {
    await storage.trunks.update(orgId, trunk.id, { max_concurrent_calls: 1 });
    await storage.calls.insert(orgId, sampleCall({ status: 'in-progress', number_id: number.id }));
    const error = await refusal(place());
    expect([error.status, error.code, error.retryAfterSeconds]).toEqual([429, 'concurrency_limit_exceeded', 5]);
    expect(error.message).toBe('The SIP trunk has reached its limit of concurrent calls.');
    expect(slots).toEqual([{ organization: orgId, isFree: true }]);
  });

  it('beyond the limit by concurrent requests', async () => {
    await change({ concurrency_limit: 2 });
    const answers = await Promise.allSettled([place(), place(), place()]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect([placed.length, (await stored()).length]).toEqual([2, 2]);
  });
});
