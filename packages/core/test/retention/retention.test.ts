import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memory } from '@va/storage/memory';
import { sampleCall, silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { timestamp } from '../../src/clock/timestamp.ts';
import type { Call } from '../../src/domain/calls/call.ts';
import type { CampaignRecord } from '../../src/domain/campaigns/campaign.ts';
import type { LeadRecord } from '../../src/domain/campaigns/lead.ts';
import { uuidv7 } from '../../src/ids.ts';
import { InProcessJobs } from '../../src/jobs/in-process-jobs.ts';
import { folderRecordings } from '../../src/node/folder-recordings.ts';
import { createCallOperations } from '../../src/operations/calls/calls.ts';
import type { RecordingStore } from '../../src/ports/recordings.ts';
import type { RecordTypes } from '../../src/records/record-types.ts';
import { applyRetention } from '../../src/retention/apply-retention.ts';
import { organizationOf } from '../operations/support.ts';

const dayMs = 24 * 3_600_000;
const dirs: string[] = [];

afterEach(async () => {
  for (const dir of dirs.splice(0)) await rm(dir, { recursive: true });
});

async function setUp() {
  const dir = await mkdtemp(join(tmpdir(), 'va-retention-'));
  dirs.push(dir);
  const clock = new VirtualClock();
  const jobs = new InProcessJobs(clock);
  const storage = memory();
  const recordings = folderRecordings({ dir });
  const orgId = uuidv7(clock);
  await storage.organizations.insert(orgId, organizationOf(orgId, clock));
  const deps = { storage, jobs, recordings, clock, logger: silentLogger, random: (n: number) => new Uint8Array(n) };
  const calls = createCallOperations({ ...deps, schemas: { faultsOf: async () => [] } });

  /** Stores an ended call with records of every kind. */
  async function addCall(changes: Partial<Call> = {}): Promise<Call> {
    const id = uuidv7(clock);
    const now = timestamp(clock);
    const call = sampleCall({
      ...{ id, created_at: now, updated_at: now },
      ...{ status: 'ended', ended_at: now, summary: 'A secret.', analysis_result: { a: 'secret' } },
      ...{
        messages: [{ role: 'user', content: 'My secret.' }],
        variables: { code: 'secret' },
        recording_url: '/recording',
      },
      ...changes,
    });
    await storage.calls.insert(orgId, call);
    const of = { call_id: id, created_at: now };
    for (let seq = 1; seq <= 1_100; seq += 1) {
      await storage.callEvents.insert(orgId, {
        id: uuidv7(clock),
        seq,
        type: 'transcript',
        data: { role: 'user', content: 'secret' },
        ...of,
      });
    }
    await storage.callCommands.insert(orgId, {
      ...{ id: uuidv7(clock), command_id: 'one', type: 'say', command: { content: 'secret' }, answer: null, ...of },
    } as unknown as RecordTypes['callCommands']);
    const jobId = uuidv7(clock);
    // A webhook that was never attempted, so that no delivery log mentions it.
    await jobs.send([{ queue: 'webhooks', id: jobId, data: { callId: id, body: 'secret' }, afterMs: 1_000_000 }]);
    await storage.webhookDeliveries.insert(orgId, {
      ...{
        id: uuidv7(clock),
        webhook_id: `msg_${uuidv7(clock)}`,
        agent_id: null,
        event: 'end-of-call-report',
        url: 'https://c.test',
      },
      ...{ status: 'pending', status_code: null, attempts: [], payload: { summary: 'secret' }, ...of },
      ...{ updated_at: now, delivered_at: null },
    });
    await storage.usageLogs.insert(orgId, {
      ...{ id: uuidv7(clock), agent_id: null, agent_name: null, business_name: null, phone_number: null, ...of },
      ...{
        call_type: 'phone',
        direction: 'inbound',
        duration_seconds: 30,
        minutes_used: 0.5,
        cost: null,
        cost_breakdown: [],
        currency: null,
        publishable_key_id: null,
      },
    });
    const sink = await recordings.create(orgId, id);
    sink.write(new Int16Array(320));
    await sink.close();
    jobIds.set(id, jobId);
    return call;
  }

  const jobIds = new Map<string, string>();

  async function remains(id: string) {
    const where = { call_id: id };
    return {
      call: await storage.calls.get(orgId, id),
      records: await Promise.all([
        storage.callEvents.count(orgId, { where }),
        storage.callCommands.count(orgId, { where }),
        storage.webhookDeliveries.count(orgId, { where }),
        jobs.stored('webhooks', [jobIds.get(id) ?? '']).then(({ size }) => size),
      ]),
      usage: await storage.usageLogs.count(orgId, { where }),
      recording: (await recordings.open(orgId, id)) !== null,
    };
  }

  return { ...deps, deps, orgId, calls, addCall, remains };
}

function campaignOf(id: string): Omit<CampaignRecord, 'created_at' | 'updated_at'> {
  return {
    ...{ id, name: 'Spring', agent_id: null, number_id: null, status: 'running', status_reason: null },
    ...{
      system_message_template: null,
      schedule_start_time: '09:00:00',
      schedule_end_time: '17:00:00',
      timezone: 'UTC',
    },
    ...{ schedule_days: ['mon'], start_date: null, end_date: null, max_concurrent_calls: 5, calls_per_minute: null },
    ...{ max_attempts: 3, retry_delay_seconds: 60, retry_on: ['busy'], total_leads: 1, pending_leads: 0 },
    ...{ calling_leads: 0, completed_leads: 1, failed_leads: 0, skipped_leads: 0, total_calls: 1, answered_calls: 1 },
    ...{ talk_seconds: 20, next_pass_at: null, paced_until_ms: null, dial_failures: 0, slowed_until_ms: null },
  };
}

const whole = [1_100, 1, 1, 1];
const nothing = [0, 0, 0, 0];

describe('erasing a call', () => {
  it('keeps only its usage', async () => {
    const { calls, orgId, addCall, remains } = await setUp();
    const { id } = await addCall();
    const { id: otherId } = await addCall();
    await calls.delete(orgId, id);
    expect(await remains(id)).toEqual({ call: null, records: nothing, usage: 1, recording: false });
    await expect(calls.delete(orgId, id)).rejects.toMatchObject({ status: 404 });
    expect(await remains(otherId)).toMatchObject({ records: whole, recording: true });
  });

  it('returns 409 while it is active', async () => {
    const { calls, orgId, addCall, remains } = await setUp();
    const { id } = await addCall({ status: 'in-progress' });
    await expect(calls.delete(orgId, id)).rejects.toMatchObject({ status: 409, code: 'call_active' });
    expect(await remains(id)).toMatchObject({ records: whole, recording: true });
  });

  it('returns 404 for a call of another organization, and keeps its recording', async () => {
    const { calls, clock, addCall, remains } = await setUp();
    const { id } = await addCall();
    await expect(calls.delete(uuidv7(clock), id)).rejects.toMatchObject({ status: 404 });
    expect(await remains(id)).toMatchObject({ records: whole, recording: true });
  });
});

describe('the lead of an erased call', () => {
  async function withLead(status: LeadRecord['status'], lastCall?: string) {
    const my = await setUp();
    const { storage, orgId, clock } = my;
    const now = timestamp(clock);
    const [campaignId, leadId] = [uuidv7(clock), uuidv7(clock)];
    const campaign = { ...campaignOf(campaignId), created_at: now, updated_at: now };
    await storage.campaigns.insert(orgId, campaign);
    const call = await my.addCall({ campaign_id: campaignId, lead_id: leadId });
    const lead: LeadRecord = {
      ...{
        id: leadId,
        campaign_id: campaignId,
        phone_number: '+31612340001',
        unique_number: '+31612340001',
        dial_failures: 0,
      },
      ...{ name: 'Secret', variables: { code: 'secret' }, status, call_id: lastCall ?? call.id, attempts: 1 },
      ...{ last_attempt_at: now, next_attempt_at: null, last_end_reason: 'user_hangup', status_reason: null },
      ...{ created_at: now, updated_at: now },
    };
    await storage.leads.insert(orgId, lead);
    const read = (): Promise<LeadRecord | null> => storage.leads.get(orgId, leadId);
    return { ...my, call, lead, read };
  }

  it('keeps its number, and no data of the call', async () => {
    const { calls, orgId, call, lead, read } = await withLead('completed');
    await calls.delete(orgId, call.id);
    expect(await read()).toMatchObject({
      ...{ phone_number: lead.phone_number, unique_number: lead.unique_number, status: 'completed', attempts: 1 },
      ...{ name: null, variables: {}, call_id: null, last_attempt_at: null, last_end_reason: null },
    });
  });

  it('keeps its attempt times when the record of the call is kept', async () => {
    const { deps, storage, orgId, clock, call, lead, read } = await withLead('failed');
    await storage.organizations.update(orgId, orgId, { content_retention_days: 1 });
    await clock.advance(2 * dayMs);
    await applyRetention(deps);
    expect(await read()).toEqual({ ...lead, name: null, variables: {}, updated_at: timestamp(clock) });
    expect((await read())?.call_id).toBe(call.id);
  });

  it('keeps the data that its next call needs', async () => {
    const { calls, orgId, call, lead, read } = await withLead('pending');
    await calls.delete(orgId, call.id);
    expect(await read()).toEqual({ ...lead, call_id: null });
  });

  it('is unchanged when another call to it followed', async () => {
    const { calls, orgId, call, lead, read } = await withLead('completed', uuidv7(new VirtualClock()));
    await calls.delete(orgId, call.id);
    expect(await read()).toEqual(lead);
  });
});

describe('retention', () => {
  it('keeps everything by default', async () => {
    const { deps, addCall, remains, clock } = await setUp();
    const { id } = await addCall();
    await clock.advance(1_000 * dayMs);
    await applyRetention(deps);
    expect(await remains(id)).toMatchObject({ call: { summary: 'A secret.' }, records: whole, recording: true });
  });

  it('erases content after content_retention_days, and the record after metadata_retention_days', async () => {
    const { deps, storage, orgId, addCall, remains, clock } = await setUp();
    await storage.organizations.update(orgId, orgId, { content_retention_days: 30, metadata_retention_days: 90 });
    const { id } = await addCall();
    await clock.advance(30 * dayMs);
    await applyRetention(deps);
    expect(await remains(id)).toMatchObject({ records: whole, recording: true });
    await clock.advance(dayMs);
    await applyRetention(deps);
    const { call, ...rest } = await remains(id);
    expect(rest).toEqual({ records: nothing, usage: 1, recording: false });
    expect(JSON.stringify(call)).not.toContain('secret');
    expect(call).toMatchObject({ status: 'ended', messages: [], recording_url: null, erased_at: timestamp(clock) });
    await clock.advance(60 * dayMs);
    await applyRetention(deps);
    expect((await remains(id)).call).toBeNull();
  });

  it('continues when a call cannot be erased, and retries it in the next run', async () => {
    const { deps, storage, orgId, addCall, clock, recordings } = await setUp();
    await storage.organizations.update(orgId, orgId, { content_retention_days: 0 });
    const [stuck, other] = [await addCall(), await addCall()];
    await clock.advance(2 * 3_600_000);
    const broken: RecordingStore = {
      ...recordings,
      delete: (org, id) => (id === stuck.id ? Promise.reject(new Error('no disk')) : recordings.delete(org, id)),
    };
    await applyRetention({ ...deps, recordings: broken });
    const erasedAt = async (id: string) => (await storage.calls.get(orgId, id))?.erased_at;
    expect([await erasedAt(stuck.id), await erasedAt(other.id)]).toEqual([null, timestamp(clock)]);
    await applyRetention(deps);
    expect(await erasedAt(stuck.id)).toBe(timestamp(clock));
  });

  it('ignores active calls', async () => {
    const { deps, storage, orgId, addCall, remains, clock } = await setUp();
    await storage.organizations.update(orgId, orgId, { content_retention_days: 0, metadata_retention_days: 0 });
    const { id } = await addCall({ status: 'in-progress', ended_at: null });
    await clock.advance(dayMs);
    await applyRetention(deps);
    expect(await remains(id)).toMatchObject({ call: { status: 'in-progress' }, records: whole });
  });
});
