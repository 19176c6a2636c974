import { type Call, type Operations, RequestError } from '@va/core';
import {
  type CallSlot,
  createOperations,
  type OutboundRequest,
  type Storage,
  systemRandom,
  timestamp,
  uuidv7,
  WebhookOutbox,
} from '@va/core/adapter';
import { ScriptedWebhooks, silentLogger } from '@va/testkit';

import { noWebhooks, storeEndedCall } from '../../packages/core/src/calls/record/call-end.ts';
import { CampaignScheduler } from '../../packages/core/src/campaigns/scheduling/scheduler.ts';
import { CampaignPublisher } from '../../packages/core/src/campaigns/status/campaign-publisher.ts';

import { InProcessJobs } from '../../packages/core/src/jobs/in-process-jobs.ts';
import type { PacedClock } from './paced-clock.ts';
import { busyEvery, callSeconds, maxCalls } from './settings.ts';

interface LiveCall {
  readonly request: OutboundRequest;
  readonly slot: CallSlot;
  readonly endsAtMs: number;
}

/**
 * The campaign scheduler and the operations of the service, without telephony: a call consists only of its start and
 * its stored end.
 */
export class DialingProcess {
  readonly operations: Operations;
  readonly #scheduler: CampaignScheduler;
  readonly #storage: Storage;
  readonly #jobs: InProcessJobs;
  readonly #outbox: WebhookOutbox;
  readonly #clock: PacedClock;
  #live: LiveCall[] = [];
  #slots = 0;
  dialed = 0;

  constructor(storage: Storage, clock: PacedClock) {
    this.#storage = storage;
    this.#clock = clock;
    this.#jobs = new InProcessJobs(clock);
    const webhooks = new ScriptedWebhooks();
    const common = { storage, clock, random: systemRandom, logger: silentLogger };
    this.#outbox = new WebhookOutbox({ ...common, webhooks });
    const campaignPublisher = new CampaignPublisher({ ...common, jobs: this.#jobs, outbox: this.#outbox });
    const recordings = {
      create: () => Promise.reject(new Error('Recording is disabled.')),
      open: async () => null,
      delete: async () => false,
    };
    this.operations = createOperations({ ...common, jobs: this.#jobs, webhooks, campaignPublisher, recordings });
    const rooms = (): number => this.#slots;
    this.#scheduler = new CampaignScheduler({
      ...common,
      campaignPublisher,
      mayCall: undefined,
      calls: {
        nodeId: uuidv7(clock),
        limit: maxCalls,
        get count() {
          return rooms();
        },
        admits: () => rooms() < maxCalls,
        acquireSlot: async () => this.#acquireSlot(),
        place: (request, slot) => this.#place(request, slot),
      },
    });
  }

  async start(): Promise<void> {
    this.#scheduler.start();
    await this.#scheduler.settled();
  }

  async stop(): Promise<void> {
    await this.#scheduler.stop();
  }

  /** Runs one pass and returns its duration in ms. */
  async pass(): Promise<number> {
    const startMs = performance.now();
    this.#scheduler.look();
    await this.#scheduler.settled();
    return performance.now() - startMs;
  }

  /** Ends the calls that are due, or all calls, and stores their ends. */
  async endCalls(all = false): Promise<void> {
    const nowMs = this.#clock.wallMs();
    const over = this.#live.filter(({ endsAtMs }) => all || endsAtMs <= nowMs);
    this.#live = this.#live.filter((call) => !over.includes(call));
    for (const { request, slot } of over) {
      await this.#storeEnd(request.organization.id, request.call);
      slot.release();
    }
  }

  #acquireSlot(): CallSlot {
    if (this.#slots >= maxCalls) throw new RequestError(503, 'unavailable', 'No capacity for another call.');
    this.#slots += 1;
    const release = (): void => {
      this.#slots -= 1;
    };
    return { release };
  }

  #place(request: OutboundRequest, slot: CallSlot): void {
    this.dialed += 1;
    this.#live.push({ request, slot, endsAtMs: this.#clock.wallMs() + callSeconds * 1_000 });
  }

  async #storeEnd(orgId: string, call: Call): Promise<void> {
    const now = timestamp(this.#clock);
    const end =
      this.dialed % busyEvery === 0
        ? { status: 'failed' as const, end_reason: 'busy' as const, duration_seconds: 0 }
        : {
            status: 'ended' as const,
            end_reason: 'user_hangup' as const,
            answered_at: now,
            duration_seconds: callSeconds,
          };
    const deps = {
      ...{ storage: this.#storage, jobs: this.#jobs, clock: this.#clock, random: systemRandom },
      outbox: this.#outbox,
      prices: { currency: null },
      logger: silentLogger,
    };
    const ended = { ...call, ...end, ended_at: now, updated_at: now };
    await storeEndedCall(deps, orgId, ended, noWebhooks, { reportsLater: false, jobs: [] });
  }
}
