import { describe, expect, it } from 'vitest';
import {
  CampaignPublisher,
  type CampaignPublisherDependencies,
} from '../../../src/campaigns/status/campaign-publisher.ts';
import type { AgentRecord } from '../../../src/domain/agents/agent.ts';
import type { CampaignRecord } from '../../../src/domain/campaigns/campaign.ts';
import { orgId } from '../../operations/support.ts';
import { recordId, sampleCampaign } from '../../support/sample-records.ts';
import { startedWebhooks } from '../../support/started-webhooks.ts';
import { campaignRecords } from '../support.ts';

const campaignId = sampleCampaign().id;
const notified: Partial<AgentRecord> = {
  webhook_url: 'https://customer.test/hook',
  webhook_events: ['campaign-update'],
  metadata: { shop: 7 },
};

async function publisherOf(
  agent: Partial<AgentRecord> = notified,
  parts: Partial<CampaignPublisherDependencies> = {},
  campaign: Partial<CampaignRecord> = {},
) {
  const { storage, clock, campaign: stored } = await campaignRecords(campaign, [], agent);
  const { webhooks, outbox, jobs, ...base } = startedWebhooks(clock);
  const publisher = new CampaignPublisher({ ...base, storage, jobs, outbox, ...parts });
  return { publisher, storage, clock, jobs, webhooks, stored };
}

describe('CampaignPublisher.store', () => {
  it('stores the change, and reports it to the server of the agent', async () => {
    const { publisher, storage, webhooks, stored } = await publisherOf();
    const shown = { ...(await stored()), status: 'paused' as const, pending_leads: 3 };
    const work = (tx: typeof storage) => tx.campaigns.update(orgId, campaignId, { status: 'paused' });
    const result = await publisher.store(orgId, [shown], (tx) => work(tx as typeof storage));
    expect(result?.status).toBe('paused');
    expect(webhooks.messages).toMatchObject([
      {
        event: 'campaign-update',
        target: { url: 'https://customer.test/hook' },
        callId: null,
        message: { campaign: { id: campaignId, status: 'paused', pendingLeads: 3 }, metadata: { shop: 7 } },
      },
    ]);
  });

  it('sends nothing if nothing changed, or the change fails', async () => {
    const { publisher, jobs, webhooks, stored } = await publisherOf();
    let woken = 0;
    publisher.onAny(() => {
      woken += 1;
    });
    const shown = [await stored()];
    expect(await publisher.store(orgId, shown, async () => null)).toBeNull();
    await expect(publisher.store(orgId, shown, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect([webhooks.messages, await jobs.waiting('webhooks'), woken]).toEqual([[], 0, 0]);
  });

  it.each<[string, Partial<AgentRecord>]>([
    ['wants other events', { ...notified, webhook_events: ['status-update'] }],
    ['wants the default events', { ...notified, webhook_events: null }],
    ['has no server', { ...notified, webhook_url: null }],
  ])('sends nothing for an agent that %s', async (_what, agent) => {
    const { publisher, webhooks, stored } = await publisherOf(agent);
    await publisher.store(orgId, [await stored()], async () => true);
    expect(webhooks.messages).toEqual([]);
  });

  it('reports a campaign whose agent is deleted in the same transaction', async () => {
    const { publisher, storage, webhooks, stored } = await publisherOf();
    const agent = await storage.agents.get(orgId, recordId('a'));
    if (agent === null) throw new Error('expected the agent');
    await publisher.store(
      orgId,
      [await stored()],
      async (tx) => (await tx.agents.delete(orgId, agent.id)) || null,
      agent,
    );
    expect(webhooks.events).toEqual(['campaign-update']);
  });
});

describe('listeners of a campaign', () => {
  it('are called for changes of that campaign, until they unsubscribe', async () => {
    const { publisher } = await publisherOf();
    const calls: string[] = [];
    const stop = publisher.onChanged(campaignId, () => void calls.push('own'));
    publisher.onChanged(recordId('3', 2), () => void calls.push('other'));
    publisher.progressed(orgId, campaignId);
    stop();
    publisher.progressed(orgId, campaignId);
    expect(calls).toEqual(['own']);
  });

  it('are not called for calls without a campaign', async () => {
    const { publisher } = await publisherOf();
    const calls: string[] = [];
    publisher.onChanged(campaignId, () => void calls.push('changed'));
    publisher.callEnded(orgId, { campaign_id: null });
    publisher.callEnded(orgId, { campaign_id: campaignId });
    expect(calls).toEqual(['changed']);
  });

  it('wake the scheduler, except after a dial, which it made itself', async () => {
    const { publisher } = await publisherOf();
    let woken = 0;
    publisher.onAny(() => {
      woken += 1;
    });
    publisher.dialed(orgId, campaignId);
    expect(woken).toBe(0);
    publisher.progressed(orgId, campaignId);
    expect(woken).toBe(1);
  });
});

describe('the event of the host', () => {
  async function emitting() {
    const shown: string[] = [];
    const world = await publisherOf(notified, { emit: (_name, { campaign }) => void shown.push(campaign.name) });
    return { ...world, shown };
  }

  it('has the campaign as it is stored', async () => {
    const { publisher, clock, shown } = await emitting();
    publisher.progressed(orgId, campaignId);
    await clock.advance(0);
    expect(shown).toEqual(['Spring']);
  });

  it('is emitted once more for all changes during a read', async () => {
    const { publisher, clock, shown } = await emitting();
    for (let n = 0; n < 5; n += 1) publisher.progressed(orgId, campaignId);
    await clock.advance(0);
    expect(shown).toEqual(['Spring', 'Spring']);
    publisher.progressed(orgId, campaignId);
    await clock.advance(0);
    expect(shown).toHaveLength(3);
  });

  it('is left out for a campaign that was deleted', async () => {
    const { publisher, storage, clock, shown } = await emitting();
    await storage.campaigns.delete(orgId, campaignId);
    publisher.progressed(orgId, campaignId);
    await clock.advance(0);
    expect(shown).toEqual([]);
  });
});
