import { memory } from '@va/storage/memory';
import { ScriptedWebhooks, sampleAgent, silentLogger, VirtualClock } from '@va/testkit';
import { type DialContext, DialContexts } from '../../src/campaigns/dialing/dial-contexts.ts';
import type { TurnDependencies } from '../../src/campaigns/scheduling/take-turn.ts';
import { CampaignPublisher } from '../../src/campaigns/status/campaign-publisher.ts';
import type { AgentRecord } from '../../src/domain/agents/agent.ts';
import type { CampaignRecord } from '../../src/domain/campaigns/campaign.ts';
import type { LeadRecord } from '../../src/domain/campaigns/lead.ts';
import { systemRandom } from '../../src/ids.ts';
import { InProcessJobs } from '../../src/jobs/in-process-jobs.ts';
import type { Storage } from '../../src/ports/storage/storage.ts';
import { WebhookOutbox } from '../../src/webhooks/outbox.ts';
import { organizationOf, orgId } from '../operations/support.ts';
import { recordId, sampleCampaign, sampleLead, sampleNumber, sampleTrunk } from '../support/sample-records.ts';

const agentId = recordId('a');
const number = sampleNumber();

export interface CampaignRecords {
  readonly storage: Storage;
  readonly clock: VirtualClock;
  /** Destinations of the calls that were placed. */
  readonly placed: string[];
  /** Call slots of the process; those in use are subtracted. */
  slots: number;
  /** Number of changes of campaigns that were announced. */
  readonly announced: string[];
  readonly deps: TurnDependencies;
  campaign(): Promise<CampaignRecord>;
  lead(n: number): Promise<LeadRecord>;
  context(): Promise<DialContext>;
}

/**
 * Stores an organization with an agent, a number, a trunk and a running campaign with these leads, at the start of a
 * virtual clock: on Thursday 2026-01-01 at 09:00 UTC.
 */
export async function campaignRecords(
  changes: Partial<CampaignRecord> = {},
  leads: readonly LeadRecord[] = [sampleLead(1), sampleLead(2)],
  agent: Partial<AgentRecord> = {},
): Promise<CampaignRecords> {
  const clock = new VirtualClock();
  const storage = memory();
  await storage.organizations.insert(orgId, organizationOf(orgId, clock));
  await storage.agents.insert(orgId, sampleAgent({ id: agentId, voicemail_detection: false, ...agent }));
  await storage.numbers.insert(orgId, number);
  await storage.trunks.insert(orgId, sampleTrunk({ numbers: [number.number] }));
  const countOf = (status: LeadRecord['status']): number => leads.filter((lead) => lead.status === status).length;
  const stored = sampleCampaign({
    agent_id: agentId,
    total_leads: leads.length,
    pending_leads: countOf('pending'),
    calling_leads: countOf('calling'),
    completed_leads: countOf('completed'),
    failed_leads: countOf('failed'),
    skipped_leads: countOf('skipped'),
    ...changes,
  });
  await storage.campaigns.insert(orgId, stored);
  await storage.leads.insertMany(orgId, leads);

  const placed: string[] = [];
  const announced: string[] = [];
  const base = { storage, clock, random: systemRandom, logger: silentLogger };
  const outbox = new WebhookOutbox({ ...base, webhooks: new ScriptedWebhooks() });
  const campaignPublisher = new CampaignPublisher({ ...base, jobs: new InProcessJobs(clock), outbox });
  campaignPublisher.onChanged(stored.id, () => void announced.push(stored.id));
  const records: CampaignRecords = {
    storage,
    clock,
    placed,
    announced,
    slots: 10,
    deps: {
      ...base,
      campaignPublisher,
      mayCall: undefined,
      calls: {
        nodeId: recordId('e'),
        async acquireSlot() {
          if (records.slots === 0) throw new Error('all slots are taken');
          records.slots -= 1;
          return {
            release: () => {
              records.slots += 1;
            },
          };
        },
        place: ({ destination }) => void placed.push(destination),
      },
    },
    campaign: async () => required(await storage.campaigns.get(orgId, stored.id)),
    lead: async (n) => required(await storage.leads.get(orgId, recordId('4', n))),
    async context() {
      const context = await new DialContexts(storage, undefined).of(orgId, await records.campaign());
      if (typeof context === 'string') throw new Error(context);
      return context;
    },
  };
  return records;
}

function required<T>(record: T | null): T {
  if (record === null) throw new Error('expected the record to exist');
  return record;
}
