import { memory } from '@va/storage/memory';
import { sampleAgent, sampleCall, scriptedLlm, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { tokenHash } from '../../../src/calls/token.ts';
import type { OrganizationRecord } from '../../../src/domain/accounts/organization.ts';
import type { PublishableKeyRecord } from '../../../src/domain/accounts/publishable-key.ts';
import type { CallRecord, CallStatus } from '../../../src/domain/calls/call.ts';
import type { SupervisionAnswer, SupervisionMode } from '../../../src/domain/calls/supervision.ts';
import type { NewWebCall, WebCallAnswer } from '../../../src/domain/calls/web-call.ts';
import { systemRandom } from '../../../src/ids.ts';
import type { CallOperationsDependencies } from '../../../src/operations/calls/call-operations-dependencies.ts';
import { superviseCall } from '../../../src/operations/calls/supervision.ts';
import { createWebCall } from '../../../src/operations/calls/web-calls.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { recordId, samplePublishableKey, sampleUsageLog } from '../../support/sample-records.ts';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, organizationOf, orgId, refusal, unknownId } from '../support.ts';

const agentId = recordId('a');
const url = 'wss://voice.example.com/web-call';
const origin = 'https://www.example.com';
const key = samplePublishableKey({
  agents: [agentId],
  origins: [origin],
  variables: ['name'],
  calls_per_minute: 3,
  minutes_per_day: 2,
});

let clock: VirtualClock;
let storage: Storage;

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  await storage.organizations.insert(orgId, organizationOf(orgId, clock));
  await storage.agents.insert(orgId, sampleAgent({ id: agentId }));
  await storage.publishableKeys.insert(orgId, key);
});

function depsWith(changes: Partial<CallOperationsDependencies>): CallOperationsDependencies {
  const base = { storage, clock, random: systemRandom, webCallUrl: url, schemas: { faultsOf: async () => [] } };
  return { ...base, recordings: untyped({}), ...changes };
}

function create(
  input: Partial<NewWebCall> = {},
  changes: Partial<CallOperationsDependencies> = {},
): Promise<WebCallAnswer> {
  return createWebCall(depsWith(changes), orgId, { agent_id: agentId, ...input });
}

function createFromPage(
  input: Partial<NewWebCall> = {},
  changes: Partial<PublishableKeyRecord> = {},
): Promise<WebCallAnswer> {
  const publishableKey = { ...key, ...changes, org_id: orgId };
  return createWebCall(depsWith({}), orgId, { agent_id: agentId, ...input }, { publishableKey, origin });
}

async function failure(work: Promise<unknown>): Promise<unknown[]> {
  const { status, code, retryAfterSeconds } = await refusal(work);
  return [status, code, retryAfterSeconds];
}

describe('a web call', () => {
  it('is allowed for a minute to the holder of its token, of which only the hash is stored', async () => {
    const answer = await create({ variables: { name: 'Ann' }, metadata: { order: 7 } });
    expect(answer).toEqual({
      success: true,
      call_id: expect.any(String),
      token: expect.any(String),
      url,
      expires_at: '2026-01-01T09:01:00.000Z',
    });
    const grant = await storage.webCallGrants.get(orgId, answer.call_id);
    expect(grant).toMatchObject({
      token_hash: tokenHash(answer.token),
      agent_id: agentId,
      variables: { name: 'Ann' },
      metadata: { order: 7 },
      publishable_key_id: null,
      origin: null,
      expires_at: answer.expires_at,
    });
    expect(JSON.stringify(grant)).not.toContain(answer.token);
  });

  it('has a token of its own each time', async () => {
    const answers = [await create(), await create()];
    expect(new Set(answers.flatMap(({ token, call_id: id }) => [token, id])).size).toBe(4);
  });

  it('of a page is bound to its key and origin', async () => {
    const { call_id: id } = await createFromPage({ variables: { name: 'Ann' } });
    expect(await storage.webCallGrants.get(orgId, id)).toMatchObject({
      publishable_key_id: key.id,
      origin,
      variables: { name: 'Ann' },
      metadata: null,
    });
  });

  it.each([null, undefined])('needs a deployment that takes such calls (%s)', async (webCallUrl) => {
    expect(await failure(create({}, { webCallUrl }))).toEqual([503, 'unavailable', undefined]);
  });

  it('needs an agent that is there, active and complete', async () => {
    const fields = { agent_id: unknownId };
    expect(faultsOf(await refusal(create(fields)))).toEqual(['agent_id invalid_reference']);
    expect(await failure(create({}, { providers: [scriptedLlm([])] }))).toEqual([422, 'agent_incomplete', undefined]);
    await storage.agents.update(orgId, agentId, { is_active: false });
    expect(await failure(create())).toEqual([409, 'agent_inactive', undefined]);
  });

  it.each<[string, Partial<OrganizationRecord>, unknown[]]>([
    ['minutes', { minutes_balance: 0 }, [402, 'insufficient_credits', undefined]],
    ['credit', { credit_balance: 0 }, [402, 'insufficient_credits', undefined]],
    ['a free call', { concurrency_limit: 0 }, [429, 'concurrency_limit_exceeded', 5]],
  ])('needs an organization with %s', async (_what, changes, expected) => {
    await storage.organizations.update(orgId, orgId, changes);
    expect(await failure(create())).toEqual(expected);
    expect(await storage.webCallGrants.count(orgId, {})).toBe(0);
  });

  it('is refused beyond a hundred unused tokens, until they expire', async () => {
    for (let n = 0; n < 100; n += 1) await create();
    const error = await refusal(create());
    expect([error.status, error.code]).toEqual([429, 'concurrency_limit_exceeded']);
    expect(error.message).toBe('The organization has 100 tokens of web calls that were not used yet.');

    await clock.advance(60_001);
    await create();
    expect(await storage.webCallGrants.count(orgId, {})).toBe(1);
  });

  it('of a page does not count towards the hundred unused tokens', async () => {
    for (let n = 0; n < 99; n += 1) await create();
    await createFromPage();
    await create();
    await createFromPage();
    expect(await failure(create())).toEqual([429, 'concurrency_limit_exceeded', 5]);
  });
});

describe('a web call of a page', () => {
  it('is refused beyond the calls per minute of its key', async () => {
    for (let n = 0; n < 3; n += 1) await createFromPage();
    const error = await refusal(createFromPage());
    expect([error.status, error.code, error.retryAfterSeconds]).toEqual([429, 'rate_limit_exceeded', 10]);
    expect(error.message).toBe('More than 3 calls within a minute. Try again in 10 s.');
    expect(await storage.webCallGrants.count(orgId, {})).toBe(3);

    await clock.advance(60_001);
    await createFromPage();
  });

  it('is refused once the minutes of its key are used up', async () => {
    await storage.usageLogs.insert(
      orgId,
      sampleUsageLog(recordId('9'), { publishable_key_id: key.id, duration_seconds: 120, minutes_used: 2 }),
    );
    expect(await failure(createFromPage())).toEqual([429, 'minutes_used_up', 300]);
  });

  it('is checked against the key as it is stored, not as the page presents it', async () => {
    await storage.publishableKeys.update(orgId, key.id, { agents: [] });
    expect(await failure(createFromPage({}, { agents: [agentId] }))).toEqual([403, 'forbidden', undefined]);
  });

  it('is checked before the agent is looked up, so that a page learns of no other agent', async () => {
    expect(await failure(createFromPage({ agent_id: unknownId }))).toEqual([403, 'forbidden', undefined]);
  });
});

describe('supervision', () => {
  const call = sampleCall({ id: recordId('c'), status: 'in-progress' });

  function supervise(
    changes: Partial<CallRecord> = {},
    { mode = 'listen', nodeUrl = null }: { mode?: SupervisionMode; nodeUrl?: string | null } = {},
    deps: Partial<CallOperationsDependencies> = {},
  ): Promise<SupervisionAnswer> {
    const control = untyped({ webCallUrlOf: async () => nodeUrl });
    return superviseCall({ ...depsWith(deps), control }, orgId, { ...call, ...changes }, mode);
  }

  it('is allowed for a minute, in its mode, to the holder of its token', async () => {
    const answer = await supervise({}, { mode: 'talk' });
    expect(answer).toEqual({
      success: true,
      call_id: call.id,
      token: expect.any(String),
      url,
      expires_at: '2026-01-01T09:01:00.000Z',
    });
    const [grant] = await storage.supervisionGrants.list(orgId, { limit: 2 });
    expect(grant).toMatchObject({ call_id: call.id, mode: 'talk', token_hash: tokenHash(answer.token) });
  });

  it('is at the URL of the process that runs the call', async () => {
    const nodeUrl = 'wss://node-2.example.com/web-call';
    expect(await supervise({}, { nodeUrl })).toMatchObject({ url: nodeUrl });
  });

  it('needs a deployment that takes web calls', async () => {
    expect(await failure(supervise({}, {}, { webCallUrl: null }))).toEqual([503, 'unavailable', undefined]);
  });

  it.each<CallStatus>(['queued', 'connecting', 'ended', 'failed'])('needs a live call (%s)', async (status) => {
    expect(await failure(supervise({ status }))).toEqual([409, 'call_not_active', undefined]);
  });

  it('is refused beyond fifty unused tokens, until they expire', async () => {
    for (let n = 0; n < 50; n += 1) await supervise();
    const error = await refusal(supervise());
    expect([error.status, error.message]).toEqual([
      429,
      'The organization has 50 tokens of supervisors that were not used yet.',
    ]);
    await clock.advance(60_001);
    await supervise();
    expect(await storage.supervisionGrants.count(orgId, {})).toBe(1);
  });

  it('does not count expired tokens that are still stored', async () => {
    storage.across.supervisionGrants.purge = async () => 0;
    for (let n = 0; n < 50; n += 1) await supervise();
    await clock.advance(60_001);
    await supervise();
    expect(await storage.supervisionGrants.count(orgId, {})).toBe(51);
  });
});
