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

export interface CampaignPublisherDependencies {
  readonly storage: Storage;
  readonly jobs: JobQueue;
  readonly outbox: Pick<WebhookOutbox, 'prepare'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Emits an event to the host. Absent without listeners. */
  readonly emit?: (name: 'campaign.updated', event: Parameters<ServiceEvents['campaign.updated']>[0]) => void;
}

/** Publishes changes of campaigns to the customer's server, the host, and listeners in this process. */
export class CampaignPublisher {
  readonly #deps: CampaignPublisherDependencies;
  readonly #watchers = new EventEmitter<Record<string, () => void>>();
  /** Campaigns being read for the host's event; true if one has changed since. */
  readonly #reading = new Map<string, boolean>();
  #onAny: () => void = () => {};

  constructor(deps: CampaignPublisherDependencies) {
    this.#deps = deps;
  }

  /**
   * Calls `wake` when this process has changed the campaign or one of its leads. Returns a function that unsubscribes.
   */
  onChanged(campaignId: string, wake: () => void): () => void {
    this.#watchers.on(campaignId, wake);
    return () => void this.#watchers.off(campaignId, wake);
  }

  /** Sets the listener for changes of any campaign by this process. */
  onAny(listener: () => void): void {
    this.#onAny = listener;
  }

  /** Announces the stored end of a call, if it is one of a campaign. */
  callEnded(orgId: string, { campaign_id: campaignId }: Pick<Call, 'campaign_id'>): void {
    if (campaignId !== null) this.progressed(orgId, campaignId);
  }

  /** Announces changes of a campaign's leads to all listeners. */
  progressed(orgId: string, campaignId: string): void {
    this.dialed(orgId, campaignId);
    this.#onAny();
  }

  /** Announces changes of a campaign's leads without waking the scheduler, which calls this method. */
  dialed(orgId: string, campaignId: string): void {
    this.#watchers.emit(campaignId);
    if (this.#deps.emit === undefined) return;
    if (this.#reading.has(campaignId)) this.#reading.set(campaignId, true);
    else void this.#read(orgId, campaignId);
  }

  /**
   * Changes campaigns in one transaction with the webhooks that report their status, and returns the result of `work`.
   * A null result means that nothing changed; no webhooks are sent then. Rejects with what `work` throws.
   *
   * @param shown the campaigns whose status changes, in their new state
   * @param agent the agent whose server receives the webhooks; by default that of each campaign
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

  /** Reads the campaign for the host's event. Changes during the read cause one further read. */
  async #read(orgId: string, campaignId: string): Promise<void> {
    const { storage, emit, logger } = this.#deps;
    do {
      this.#reading.set(campaignId, false);
      try {
        const record = await storage.campaigns.get(orgId, campaignId);
        if (record !== null) emit?.('campaign.updated', { orgId, campaign: toCampaign(record) });
      } catch (thrown) {
        logger.warn({ err: toError(thrown), campaignId }, 'failed to read a changed campaign');
      }
    } while (this.#reading.get(campaignId) === true);
    this.#reading.delete(campaignId);
  }
}
