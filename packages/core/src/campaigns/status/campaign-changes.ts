import { EventEmitter } from 'eventemitter3';

import { timestamp } from '../../clock/timestamp.ts';
import type { AgentRecord } from '../../domain/agents/agent.ts';
import type { Call } from '../../domain/calls/call.ts';
import { type CampaignRecord, toCampaign } from '../../domain/campaigns/campaign.ts';
import { toError } from '../../errors.ts';
import type { ServiceEvents } from '../../events.ts';
import { transactionWithJobs } from '../../jobs/transaction.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { WebhookMessage } from '../../ports/webhooks.ts';
import type { WebhookOutbox } from '../../webhooks/outbox.ts';
import { webhookTarget } from '../../webhooks/target.ts';

import { campaignMessage } from './campaign-message.ts';

export interface CampaignChangesDependencies {
  readonly storage: Storage;
  readonly jobs: JobQueue;
  readonly outbox: Pick<WebhookOutbox, 'prepare'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tells the host; absent where nobody listens. */
  readonly emit?: (name: 'campaign.updated', event: Parameters<ServiceEvents['campaign.updated']>[0]) => void;
}

/** Who is told that a campaign has changed: the customer's server, the host, and those in this process who watch it. */
export class CampaignChanges {
  readonly #deps: CampaignChangesDependencies;
  readonly #watchers = new EventEmitter<Record<string, () => void>>();
  /** Campaigns whose record is being read for the host; true where it has changed since. */
  readonly #reading = new Map<string, boolean>();
  #onAny: () => void = () => {};

  constructor(deps: CampaignChangesDependencies) {
    this.#deps = deps;
  }

  /** Calls `wake` when this process has changed the campaign or a lead of it, until the returned function is called. */
  onChanged(campaignId: string, wake: () => void): () => void {
    this.#watchers.on(campaignId, wake);
    return () => void this.#watchers.off(campaignId, wake);
  }

  /** Calls it when this process has changed any campaign. One listener. */
  onAny(listener: () => void): void {
    this.#onAny = listener;
  }

  /** Announces the stored end of a call, if it is one of a campaign. */
  callEnded(orgId: string, { campaign_id: campaignId }: Pick<Call, 'campaign_id'>): void {
    if (campaignId !== null) this.progressed(orgId, campaignId);
  }

  /** Leads of the campaign have changed. */
  progressed(orgId: string, campaignId: string): void {
    this.dialed(orgId, campaignId);
    this.#onAny();
  }

  /** The same, told by who looks after all campaigns and need not be told. */
  dialed(orgId: string, campaignId: string): void {
    this.#watchers.emit(campaignId);
    if (this.#deps.emit === undefined) return;
    if (this.#reading.has(campaignId)) this.#reading.set(campaignId, true);
    else void this.#read(orgId, campaignId);
  }

  /**
   * Changes campaigns in one transaction with the webhooks that tell of their status; `shown` are those whose status changes, as they
   * will be. What `work` gives is passed on; null stands for nothing that has changed: then nobody is told. Rejects with what
   * `work` throws.
   *
   * `agent` is whose server is told; the one that the campaigns have by default.
   */
  async store<T>(
    orgId: string,
    shown: readonly CampaignRecord[],
    work: (tx: Records) => Promise<T | null>,
    agent?: AgentRecord,
  ): Promise<T | null> {
    const outgoing = this.#deps.outbox.prepare(await this.#messages(orgId, shown, agent));
    const result = await transactionWithJobs(this.#deps, async (tx, sender) => {
      const done = await work(tx);
      if (done !== null) await sender.send(outgoing.jobs);
      return done;
    });
    if (result === null) return null;
    outgoing.dispatch();
    for (const { id } of shown) this.progressed(orgId, id);
    return result;
  }

  async #messages(
    orgId: string,
    shown: readonly CampaignRecord[],
    given: AgentRecord | undefined,
  ): Promise<WebhookMessage[]> {
    const { storage, clock } = this.#deps;
    const messages: WebhookMessage[] = [];
    for (const campaign of shown) {
      const agent = given ?? (campaign.agent_id === null ? null : await storage.agents.get(orgId, campaign.agent_id));
      if (agent === null || !(agent.webhook_events ?? []).includes('campaign-update')) continue;
      const organization = await storage.organizations.get(orgId, orgId);
      const target = webhookTarget({ organization, agent, now: timestamp(clock) });
      if (target === null) continue;
      const about = { orgId, agentId: agent.id, callId: null };
      messages.push({ event: 'campaign-update', target, ...about, message: campaignMessage(campaign, agent) });
    }
    return messages;
  }

  /** However often it changes meanwhile, it is read once more after that. */
  async #read(orgId: string, campaignId: string): Promise<void> {
    const { storage, emit, logger } = this.#deps;
    do {
      this.#reading.set(campaignId, false);
      try {
        const record = await storage.campaigns.get(orgId, campaignId);
        if (record !== null) emit?.('campaign.updated', { orgId, campaign: toCampaign(record) });
      } catch (thrown) {
        logger.warn({ err: toError(thrown), campaignId }, 'a campaign that has changed could not be read');
      }
    } while (this.#reading.get(campaignId) === true);
    this.#reading.delete(campaignId);
  }
}
