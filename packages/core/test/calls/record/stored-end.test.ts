import { memory } from '@va/storage/memory';
import { sampleCall, silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { noWebhooks, type OnCallEnded, storeAnswered, storeEndedCall } from '../../../src/calls/record/call-end.ts';
import { minutesItems } from '../../../src/costs/pricing.ts';
import type { OrganizationRecord } from '../../../src/domain/accounts/organization.ts';
import { type Call, type CallRecord, shownCall } from '../../../src/domain/calls/call.ts';
import type { NewJob } from '../../../src/ports/jobs.ts';
import type { SqlClient, Storage } from '../../../src/ports/storage/storage.ts';
import type { WebhookMessage } from '../../../src/ports/webhooks.ts';
import { organizationOf, orgId } from '../../operations/support.ts';
import { recordId, sampleCampaign, sampleLead, startedAt } from '../../support/sample-records.ts';
import { startedWebhooks } from '../../support/started-webhooks.ts';
import { untyped } from '../../support/untyped.ts';

const callId = recordId('7', 1);
const endedAt = '2026-01-01T09:01:30.000Z';
const live: CallRecord = sampleCall({
  id: callId,
  status: 'in-progress',
  answered_at: startedAt,
  created_at: startedAt,
  started_at: startedAt,
  node_id: recordId('e'),
  webhook_sequence: 2,
});
const ended: Call = {
  ...shownCall(live),
  status: 'ended',
  end_reason: 'user_hangup',
  ended_at: endedAt,
  updated_at: endedAt,
  duration_seconds: 90,
  cost: 0.9,
  cost_breakdown: minutesItems({ answered_at: startedAt, duration_seconds: 90 }, null),
};

let clock: VirtualClock;
let storage: Storage;
let started: ReturnType<typeof startedWebhooks>;
let errors: string[];

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  started = startedWebhooks(clock);
  errors = [];
  const limits: Partial<OrganizationRecord> = { minutes_balance: 10, credit_balance: 5 };
  await storage.organizations.insert(orgId, { ...organizationOf(orgId, clock), ...limits });
});

function deps(onCallEnded?: OnCallEnded) {
  const logger = { ...silentLogger, error: (_fields: object, message: string) => void errors.push(message) };
  return { ...started, storage, prices: { currency: 'EUR' }, logger, onCallEnded };
}

function message(event: WebhookMessage['event']): WebhookMessage {
  const target = { url: 'https://customer.test/hook', secret: null, secrets: [] };
  return untyped({ event, target, orgId, agentId: null, callId, message: { call: { status: 'ended' } } });
}

interface Ends {
  readonly call?: Call;
  readonly messages?: readonly WebhookMessage[];
  readonly later?: readonly NewJob[];
  readonly onCallEnded?: OnCallEnded;
}

function end({ call = ended, messages = [], later = [], onCallEnded }: Ends = {}): Promise<boolean> {
  const reported = { ended: () => [...messages] };
  return storeEndedCall(deps(onCallEnded), orgId, call, reported, { reportsLater: false, jobs: later });
}

const stored = () => storage.calls.get(orgId, callId);
const organization = () => storage.organizations.get(orgId, orgId);

describe('the end of a call', () => {
  it('is stored with its usage, which minutes and credit pay for', async () => {
    await storage.calls.insert(orgId, live);
    expect(await end()).toBe(true);
    expect(await stored()).toMatchObject({ ...ended, node_id: null, webhook_sequence: 2 });
    expect(await storage.usageLogs.list(orgId, { limit: 2 })).toMatchObject([
      {
        call_id: callId,
        call_type: 'phone',
        direction: 'inbound',
        duration_seconds: 90,
        minutes_used: 1.5,
        cost: 0.9,
        currency: 'EUR',
        created_at: endedAt,
        cost_breakdown: ended.cost_breakdown,
      },
    ]);
    expect(await organization()).toMatchObject({ minutes_balance: 8.5, credit_balance: 4.1 });
  });

  it('is counted in the statistics', async () => {
    await storage.calls.insert(orgId, live);
    await end();
    expect(await storage.callStatistics.get(orgId, callId)).toMatchObject({
      day: '2026-01-01',
      end_reason: 'user_hangup',
      answered: 1,
      duration_seconds: 90,
      cost: 0.9,
    });
  });

  it('has no usage if nobody answered, but its cost is charged', async () => {
    await storage.calls.insert(orgId, { ...live, status: 'connecting', answered_at: null });
    await end({ call: { ...ended, answered_at: null, end_reason: 'no_answer', duration_seconds: 0, cost: 0.2 } });
    expect(await storage.usageLogs.count(orgId)).toBe(0);
    expect(await storage.callStatistics.get(orgId, callId)).toMatchObject({ answered: 0 });
    expect(await organization()).toMatchObject({ minutes_balance: 10, credit_balance: 4.8 });
  });

  it('sets the outcome of its lead', async () => {
    const campaign = sampleCampaign({ total_leads: 1, calling_leads: 1 });
    await storage.campaigns.insert(orgId, campaign);
    await storage.leads.insertMany(orgId, [sampleLead(1, { status: 'calling', call_id: callId, attempts: 1 })]);
    const of = { campaign_id: campaign.id, lead_id: recordId('4', 1) };
    await storage.calls.insert(orgId, { ...live, ...of });
    await end({ call: { ...ended, ...of } });
    expect(await storage.leads.get(orgId, recordId('4', 1))).toMatchObject({ status: 'completed' });
    expect(await storage.campaigns.get(orgId, campaign.id)).toMatchObject({
      total_calls: 1,
      answered_calls: 1,
      talk_seconds: 90,
      calling_leads: 0,
      completed_leads: 1,
      next_pass_at: endedAt,
    });
  });

  it('is reported after the commit, by webhooks with the next sequence numbers', async () => {
    await storage.calls.insert(orgId, live);
    let committed = 0;
    await end({
      messages: [message('status-update'), message('end-of-call-report')],
      async onCallEnded() {
        committed = started.webhooks.messages.length;
      },
    });
    expect(committed).toBe(0);
    expect(started.webhooks.messages.map(({ event, sequence }) => [event, sequence])).toEqual([
      ['status-update', 3],
      ['end-of-call-report', 4],
    ]);
    expect(await stored()).toMatchObject({ webhook_sequence: 4 });
  });

  it('stores the jobs of the after-call work', async () => {
    await storage.calls.insert(orgId, live);
    await end({ later: [{ queue: 'after-call', id: recordId('8'), data: {}, afterMs: 0 }] });
    expect(await started.jobs.waiting('after-call')).toBe(1);
  });

  it.each(['ended', 'failed'] as const)('is not stored for a call that is already %s', async (status) => {
    await storage.calls.insert(orgId, { ...live, status, end_reason: 'service_shutdown' });
    expect(await end({ messages: [message('end-of-call-report')] })).toBe(false);
    expect(await stored()).toMatchObject({ status, end_reason: 'service_shutdown' });
    expect([await storage.usageLogs.count(orgId), started.webhooks.messages]).toEqual([0, []]);
    expect(await organization()).toMatchObject({ minutes_balance: 10, credit_balance: 5 });
  });

  it('is not reported if there are no webhooks for it', async () => {
    await storage.calls.insert(orgId, live);
    await storeEndedCall(deps(), orgId, ended, noWebhooks, { reportsLater: false, jobs: [] });
    expect(started.webhooks.messages).toEqual([]);
  });
});

describe('a storage that fails', () => {
  /** Makes this many transactions fail; returns the number of all. */
  function failing(failures: number): () => number {
    const transaction = storage.transaction.bind(storage);
    let tried = 0;
    storage = {
      ...storage,
      transaction: (work) => {
        tried += 1;
        return tried > failures ? transaction(work) : Promise.reject(new Error('the database restarts'));
      },
    };
    return () => tried;
  }

  it('is retried for fifty seconds', async () => {
    await storage.calls.insert(orgId, live);
    const tried = failing(5);
    const ending = end();
    await clock.advance(50_199);
    expect(tried()).toBe(5);
    await clock.advance(1);
    expect(await ending).toBe(true);
    expect([tried(), errors.length]).toEqual([6, 5]);
    expect(await stored()).toMatchObject({ status: 'ended' });
  });

  it('leaves the call to the next start of the service after these attempts', async () => {
    await storage.calls.insert(orgId, live);
    const tried = failing(Number.POSITIVE_INFINITY);
    const ending = end();
    await clock.advance(60_000);
    expect([await ending, tried(), clock.pending]).toEqual([false, 6, 0]);
    expect(await stored()).toMatchObject({ status: 'in-progress' });
  });
});

describe('the hook of the host', () => {
  const inserted = () => storage.calls.insert(orgId, live);

  it('gets the final record, and the client of the transaction', async () => {
    await inserted();
    const client: SqlClient = untyped({});
    storage = { ...storage, sqlClient: () => client };
    const seen: unknown[] = [];
    await end({ onCallEnded: async (call, context) => void seen.push(call, context) });
    expect(seen).toEqual([ended, { orgId, client }]);
  });

  it('has no client on a storage without SQL', async () => {
    await inserted();
    const clients: unknown[] = [];
    await end({ onCallEnded: async (_call, { client }) => void clients.push(client) });
    expect(clients).toEqual([null]);
  });

  it('that throws rolls everything back, and runs again', async () => {
    await inserted();
    let runs = 0;
    const ending = end({
      messages: [message('end-of-call-report')],
      async onCallEnded() {
        runs += 1;
        if (runs === 1) throw new Error('deadlock');
      },
    });
    await clock.advance(199);
    expect([await stored(), started.webhooks.messages]).toMatchObject([{ status: 'in-progress' }, []]);
    expect(await organization()).toMatchObject({ minutes_balance: 10 });
    await clock.advance(1);
    expect([await ending, runs, started.webhooks.messages.length]).toEqual([true, 2, 1]);
    expect(await organization()).toMatchObject({ minutes_balance: 8.5 });
  });

  it('times out after five seconds', async () => {
    await inserted();
    let runs = 0;
    const ending = end({
      onCallEnded: () => {
        runs += 1;
        return runs === 1 ? new Promise(() => {}) : Promise.resolve();
      },
    });
    await clock.advance(4_999);
    expect([runs, errors]).toEqual([1, []]);
    await clock.advance(1);
    expect(errors).toEqual(['failed to store the end of a call']);
    await clock.advance(200);
    expect([await ending, runs, clock.pending]).toEqual([true, 2, 0]);
  });

  it('does not prevent the end of the call if it always throws', async () => {
    await inserted();
    let runs = 0;
    const ending = end({
      onCallEnded: () => {
        runs += 1;
        return Promise.reject(new Error('no such table'));
      },
    });
    await clock.advance(60_000);
    expect([await ending, runs]).toEqual([true, 5]);
    expect(await stored()).toMatchObject({ status: 'ended' });
  });
});

describe('the answer of a call', () => {
  const answered: Call = { ...shownCall(live), status: 'in-progress', answered_at: startedAt };
  const store = () => storeAnswered(deps(), orgId, answered, { statusUpdate: () => [message('status-update')] });

  it('is stored with the webhook that reports it', async () => {
    await storage.calls.insert(orgId, { ...live, status: 'connecting', answered_at: null });
    await store();
    expect(await stored()).toMatchObject({ status: 'in-progress', answered_at: startedAt, webhook_sequence: 3 });
    expect(started.webhooks.messages).toMatchObject([{ event: 'status-update', sequence: 3 }]);
  });

  it.each(['queued', 'in-progress', 'ended'] as const)('is not stored for a call that is %s', async (status) => {
    await storage.calls.insert(orgId, { ...live, status, answered_at: null });
    await store();
    expect(await stored()).toMatchObject({ status, answered_at: null, webhook_sequence: 2 });
    expect(started.webhooks.messages).toEqual([]);
  });
});
