import { createOperations, type Storage, systemRandom } from '@va/core/adapter';
import { postgres } from '@va/storage/postgres';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { ScriptedWebhooks, silentLogger, VirtualClock } from '@va/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outboundLine } from '../../../src/calls/line/outbound-line.ts';
import { type ClaimedLeads, reserveLeads, returnAbandonedLeads } from '../../../src/campaigns/dialing/claim-leads.ts';
import type { DialContext } from '../../../src/campaigns/dialing/dial-contexts.ts';
import {
  type DialDependencies,
  type Dialed,
  dialLeads,
  reservedLeads,
} from '../../../src/campaigns/dialing/dial-leads.ts';
import type { Campaign } from '../../../src/domain/campaigns/campaign.ts';
import { uuidv7 } from '../../../src/ids.ts';

let server: PostgresServer;
let storages: [Storage, Storage];

beforeAll(async () => {
  server = await startPostgres();
  const open = (): Storage => postgres({ connectionString: server.connectionString, migrations: 'auto' });
  storages = [open(), open()];
  for (const storage of storages) await storage.start();
});

afterAll(async () => {
  await Promise.all(storages.map((storage) => storage.close()));
  await server.stop();
});

/** A process that claims leads and dials them when the test calls `dial`. */
class Dialer {
  readonly dialed: string[] = [];
  readonly #storage: Storage;
  readonly #clock: VirtualClock;
  readonly #context: DialContext;
  readonly #campaignId: string;
  slots = 0;

  constructor(storage: Storage, clock: VirtualClock, context: DialContext, campaignId: string) {
    this.#storage = storage;
    this.#clock = clock;
    this.#context = context;
    this.#campaignId = campaignId;
  }

  async take(most = 10): Promise<ClaimedLeads> {
    const { organization } = this.#context;
    return await reserveLeads(this.#storage, organization.id, this.#campaignId, { most, nowMs: this.#clock.wallMs() });
  }

  async dial(taken: ClaimedLeads): Promise<Dialed> {
    const calls: DialDependencies['calls'] = {
      nodeId: uuidv7(this.#clock),
      acquireSlot: async () => {
        this.slots += 1;
        const release = (): void => {
          this.slots -= 1;
        };
        return { release };
      },
      place: ({ destination }) => void this.dialed.push(destination),
    };
    const deps = {
      ...{ storage: this.#storage, calls, mayCall: undefined },
      ...{ clock: this.#clock, random: systemRandom, logger: silentLogger },
    };
    const source = await reservedLeads(deps, this.#context.organization.id, taken);
    return await dialLeads(deps, this.#context, this.#campaignId, source, () => ({}));
  }
}

const number = (n: number): string => `+3161234${String(n).padStart(4, '0')}`;
let lines = 0;

/** Creates a running campaign with a number of leads, and two processes that dial for it. */
async function setUp(leads: number) {
  const [storage, other] = storages;
  const clock = new VirtualClock(new Date('2026-01-15T10:00:00.000Z'));
  const recordings = {
    create: () => Promise.reject(new Error('recording is disabled')),
    open: async () => null,
    delete: async () => false,
  };
  const webhooks = new ScriptedWebhooks();
  const operations = createOperations({ storage, recordings, webhooks, clock, random: systemRandom });
  const { id: orgId } = await operations.organizations.create({ name: 'Two processes' });
  const { id: agent_id } = await operations.agents.create(orgId, { name: 'Anna' });
  lines += 1;
  const phone_number = `+3120${3_000_000 + lines}`;
  await operations.numbers.register(orgId, { phone_number, agent_id });
  const trunk = { name: 'Main', provider: 'acme', address: 'sip.example.com', numbers: [phone_number] };
  await operations.trunks.create(orgId, trunk);
  const hours = { schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'UTC', max_concurrent_calls: 50 };
  const { id: campaignId } = await operations.campaigns.create(orgId, { name: 'Spring', agent_id, ...hours });
  const list = Array.from({ length: leads }, (_, n) => ({ phone_number: number(n) }));
  await operations.leads.addMany(orgId, campaignId, { leads: list });
  await operations.campaigns.update(orgId, campaignId, { status: 'scheduled' });
  await storage.campaigns.update(orgId, campaignId, { status: 'running' });

  const organization = await storage.organizations.get(orgId, orgId);
  const agent = await storage.agents.get(orgId, agent_id);
  if (organization === null || agent === null) throw new Error('organization or agent not found');
  const context = {
    organization,
    agent,
    line: await outboundLine(storage, orgId, { numberId: null, agentId: agent_id }),
  };
  const dialers = [storage, other].map((each) => new Dialer(each, clock, context, campaignId));
  const [one, two] = dialers;
  if (one === undefined || two === undefined) throw new Error('expected two dialers');

  return {
    ...{ orgId, campaignId, clock, operations, storage, one, two },
    campaign: (): Promise<Campaign> => operations.campaigns.get(orgId, campaignId),
    calls: () => storage.calls.count(orgId),
    async leads() {
      return (await operations.leads.list(orgId, campaignId)).leads;
    },
  };
}

it('dials each lead once when two processes claim leads at the same time', async () => {
  const { one, two, campaign, calls } = await setUp(40);
  const turns = [one, two, one, two];
  const takings = await Promise.all(turns.map(async (dialer) => ({ dialer, taken: await dialer.take(20) })));
  const ids = takings.flatMap(({ taken }) => taken.leads.map(({ id }) => id));
  expect([ids.length, new Set(ids).size]).toEqual([40, 40]);
  await Promise.all(takings.map(({ dialer, taken }) => dialer.dial(taken)));
  expect([...one.dialed, ...two.dialed].sort()).toEqual(Array.from({ length: 40 }, (_, n) => number(n)));
  expect([one.slots + two.slots, await calls()]).toEqual([40, 40]);
  expect(await campaign()).toMatchObject({ pending_leads: 0, calling_leads: 40 });
});

it('does not dial a lead when another process has claimed it after the lease expired', async () => {
  const { one, two, clock, storage, campaign, calls, leads } = await setUp(1);
  const slow = await one.take();
  await clock.advance(60_001);
  await returnAbandonedLeads(storage, clock.wallMs());
  const taken = await two.take();
  expect(taken.leads).toMatchObject(slow.leads.map(({ id }) => ({ id })));
  // Dials before and after the other process.
  await one.dial(slow);
  await two.dial(taken);
  await one.dial(slow);
  expect([one.dialed, two.dialed]).toEqual([[], [number(0)]]);
  expect([one.slots, two.slots, await calls()]).toEqual([0, 1, 1]);
  expect(await campaign()).toMatchObject({ pending_leads: 0, calling_leads: 1 });
  expect(await leads()).toMatchObject([{ status: 'calling', attempts: 1 }]);
});

it('does not dial a lead that was returned after the lease expired', async () => {
  const { one, clock, storage, campaign, calls } = await setUp(1);
  const slow = await one.take();
  await clock.advance(60_001);
  await returnAbandonedLeads(storage, clock.wallMs());
  await one.dial(slow);
  expect([one.dialed, one.slots, await calls()]).toEqual([[], 0, 0]);
  expect(await campaign()).toMatchObject({ pending_leads: 1, calling_leads: 0 });
});

it('does not dial a deleted lead', async () => {
  const { one, orgId, storage, calls } = await setUp(2);
  const taken = await one.take();
  await storage.leads.delete(orgId, taken.leads[0]?.id ?? '');
  await one.dial(taken);
  expect([one.dialed, one.slots, await calls()]).toEqual([[number(1)], 1, 1]);
});

it('refuses to delete a claimed lead', async () => {
  const { one, orgId, campaignId, operations } = await setUp(1);
  const [lead] = (await one.take()).leads;
  const removing = operations.leads.remove(orgId, campaignId, lead?.id ?? '');
  await expect(removing).rejects.toMatchObject({ status: 409, code: 'lead_in_progress' });
});

it('does not dial for a deleted campaign', async () => {
  const { one, orgId, campaignId, operations, calls } = await setUp(2);
  const taken = await one.take();
  await operations.campaigns.update(orgId, campaignId, { status: 'paused' });
  await operations.campaigns.delete(orgId, campaignId);
  await one.dial(taken);
  expect([one.dialed, one.slots, await calls()]).toEqual([[], 0, 0]);
});

it.each([
  ['paused', 'pending'],
  ['cancelled', 'skipped'],
] as const)('does not dial when the campaign is %s, and sets its leads to %s', async (status, after) => {
  const { one, orgId, campaignId, operations, campaign, leads, calls } = await setUp(2);
  const taken = await one.take();
  await operations.campaigns.update(orgId, campaignId, { status });
  await one.dial(taken);
  expect([one.dialed, one.slots, await calls()]).toEqual([[], 0, 0]);
  expect((await leads()).map((lead) => lead.status)).toEqual([after, after]);
  expect(await campaign()).toMatchObject({ calling_leads: 0, [`${after}_leads`]: 2 });
});
