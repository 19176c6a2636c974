import type { CampaignRecord } from '../../domain/campaigns/campaign.ts';
import { toError } from '../../errors.ts';
import type { Timer } from '../../ports/clock.ts';
import type { Provider } from '../../ports/providers/provider.ts';
import type { Owned } from '../../ports/storage/collection.ts';
import { returnAbandonedLeads } from '../dialing/claim-leads.ts';
import { DialContexts } from '../dialing/dial-contexts.ts';
import type { CampaignTurnResult } from '../dialing/turn-result.ts';
import { FairOrder } from './fair-order.ts';
import { type TurnDependencies, takeTurn } from './take-turn.ts';

/** Interval between passes, for changes that other processes stored. */
const lookEveryMs = 1_000;
/** Lease of a turn. Turns take less; when a process dies, another one takes the turn afterwards. */
const turnLeaseMs = 30_000;
/**
 * Maximum campaigns claimed in one pass: more than there are free call slots, for a fair choice among organizations.
 */
const maxDue = 100;
const leastDue = 10;
/** Maximum leads that one campaign dials in one turn. */
const maxLeads = 20;
/** Delay after a failed turn, so that it does not hold up other campaigns. */
const failedAgainMs = 10_000;
const giveBackEveryMs = 30_000;

const done = { pending_leads: 0, calling_leads: 0 };
/** Statuses of campaigns that get turns. Cancelled ones do, too: they may have more leads than one turn can skip. */
const due = { in: ['scheduled', 'running', 'cancelled'] as const };

export interface SchedulerDependencies extends TurnDependencies {
  readonly calls: TurnDependencies['calls'] & {
    readonly count: number;
    readonly limit: number;
    admits(): boolean;
  };
  /** The registered providers; undefined when unknown. */
  readonly providers?: readonly Provider[] | undefined;
}

/**
 * Runs the campaigns. Every process has one: it claims due campaigns, each for one process at a time, and dials as many
 * calls as the process has slots for. Campaigns take turns, and so do organizations.
 */
export class CampaignScheduler {
  readonly #deps: SchedulerDependencies;
  readonly #order = new FairOrder();
  readonly #running = new Set<Promise<void>>();
  /** Call slots promised to running turns. */
  #promised = 0;
  /** True if some due campaigns got no turn in the last pass. */
  #isMoreDue = false;
  #looking: Promise<void> | null = null;
  #isDue = false;
  #isStopped = true;
  #timer: Timer | null = null;
  #timerAtMs = Number.POSITIVE_INFINITY;
  #givenBackAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SchedulerDependencies) {
    this.#deps = deps;
    deps.campaignPublisher.onAny(() => this.look());
  }

  start(): void {
    this.#isStopped = false;
    this.look();
  }

  /** Runs a pass at once. */
  look(): void {
    if (this.#isStopped) return;
    this.#isDue = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
  }

  /** Resolves when no pass or turn is running. */
  async settled(): Promise<void> {
    while (this.#looking !== null || this.#running.size > 0) await Promise.all([this.#looking, ...this.#running]);
  }

  /** Stops dialing. Resolves when running turns have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.settled();
  }

  async #look(): Promise<void> {
    this.#timer?.cancel();
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    while (this.#isDue && !this.#isStopped) {
      this.#isDue = false;
      try {
        await this.#giveBack();
        await this.#begin();
      } catch (thrown) {
        this.#deps.logger.warn({ err: toError(thrown) }, 'failed to look up due campaigns');
      }
    }
    this.#lookIn(lookEveryMs);
  }

  /** Schedules a pass, unless one is scheduled earlier. */
  #lookIn(delayMs: number): void {
    const { clock } = this.#deps;
    const atMs = clock.nowMs() + delayMs;
    if (this.#isStopped || this.#timerAtMs <= atMs) return;
    this.#timer?.cancel();
    this.#timerAtMs = atMs;
    this.#timer = clock.setTimer(delayMs, () => this.look());
  }

  async #giveBack(): Promise<void> {
    const { storage, clock, campaignPublisher } = this.#deps;
    if (clock.nowMs() < this.#givenBackAtMs + giveBackEveryMs) return;
    this.#givenBackAtMs = clock.nowMs();
    for (const { orgId, campaignId } of await returnAbandonedLeads(storage, clock.wallMs())) {
      campaignPublisher.progressed(orgId, campaignId);
    }
  }

  get #room(): number {
    const { calls } = this.#deps;
    return calls.admits() ? Math.max(0, calls.limit - calls.count - this.#promised) : 0;
  }

  async #begin(): Promise<void> {
    const { storage, clock } = this.#deps;
    const nowMs = clock.wallMs();
    const next_pass_at = { lt: new Date(nowMs + 1).toISOString() };
    const isFull = this.#room === 0;
    const leaseUntil = new Date(nowMs + turnLeaseMs).toISOString();
    const limit = isFull ? maxDue : Math.min(maxDue, Math.max(leastDue, 4 * this.#room));
    const found = await storage.across.campaigns.claim({
      // A full process leaves dialing to others and only completes campaigns that are done.
      filter: { where: { status: due, next_pass_at, ...(isFull ? done : {}) } },
      changes: { next_pass_at: leaseUntil },
      limit,
      orderBy: 'next_pass_at',
    });
    const room = isFull ? found.length : this.#room;
    const share = Math.min(maxLeads, Math.max(1, Math.floor(room / Math.max(1, found.length))));
    // If more campaigns are due than get a turn, the end of a turn starts the next pass, which uses the slots that it
    // left. Set before the loop, because turns can end before the last release.
    this.#isMoreDue = found.length === limit || found.length * share > room;
    const contexts = new DialContexts(storage, this.#deps.providers);
    for (const [index, campaign] of this.#order.arrange(found).entries()) {
      if (index * share < room) this.#run(campaign, contexts, Math.min(share, room - index * share));
      else await this.#release(campaign, nowMs);
    }
  }

  #run(owned: Owned<CampaignRecord>, contexts: DialContexts, share: number): void {
    this.#order.recordTurn(owned.orgId);
    this.#promised += share;
    const running = this.#turn(owned, contexts, share).then((end) => {
      // Before the next pass, which depends on the free slots.
      this.#promised -= share;
      this.#running.delete(running);
      if (end !== null) this.#lookAgain(end);
    });
    this.#running.add(running);
  }

  /** Takes a turn. Never rejects; returns null on failure. */
  async #turn(owned: Owned<CampaignRecord>, contexts: DialContexts, share: number): Promise<CampaignTurnResult | null> {
    const { logger, clock } = this.#deps;
    const { orgId, record } = owned;
    try {
      const { nextAtMs, isReleased } = await takeTurn(this.#deps, contexts, orgId, record, share);
      return { nextAtMs, isReleased: isReleased || (await this.#release(owned, nextAtMs)) };
    } catch (thrown) {
      logger.error({ err: toError(thrown), orgId, campaignId: record.id }, 'campaign turn failed');
      await this.#release(owned, clock.wallMs() + failedAgainMs).catch(() => {
        // The lease expires.
      });
      return null;
    }
  }

  /** Stores the time of the campaign's next turn. Returns false if a concurrent change requests an earlier one. */
  async #release({ orgId, record }: Owned<CampaignRecord>, nextAtMs: number | null): Promise<boolean> {
    const { storage } = this.#deps;
    const changes = { next_pass_at: nextAtMs === null ? null : new Date(Math.ceil(nextAtMs)).toISOString() };
    const mine = { next_pass_at: record.next_pass_at, status: due };
    return (await storage.campaigns.update(orgId, record.id, changes, mine)) !== null;
  }

  #lookAgain({ nextAtMs, isReleased }: CampaignTurnResult): void {
    const waitMs = (nextAtMs ?? Number.POSITIVE_INFINITY) - this.#deps.clock.wallMs();
    if (!isReleased || waitMs <= 0 || this.#isMoreDue) this.look();
    else if (waitMs < lookEveryMs) this.#lookIn(waitMs);
  }
}
