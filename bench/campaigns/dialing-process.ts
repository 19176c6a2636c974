import {
  type Call,
  createOperations,
  type Operations,
  type OutboundRequest,
  RequestError,
  type Room,
  type Storage,
  systemRandom,
  timestamp,
  uuidv7,
  WebhookOutbox,
} from '@va/core';
import { ScriptedWebhooks, silentLogger } from '@va/testkit';

import { noWebhooks, storeEndedCall } from '../../packages/core/src/calls/record/call-end.ts';
import { CampaignScheduler } from '../../packages/core/src/campaigns/scheduling/scheduler.ts';
import { CampaignChanges } from '../../packages/core/src/campaigns/status/campaign-changes.ts';

import { InProcessJobs } from '../../packages/core/src/jobs/in-process-jobs.ts';
import type { PacedClock } from './paced-clock.ts';
import { busyEvery, callSeconds, maxCalls } from './settings.ts';

interface LiveCall {
  readonly request: OutboundRequest;
  readonly room: Room;
  readonly endsAtMs: number;
}

/** The service's scheduler and operations. Calls consist only of their start and end. */
export class DialingProcess {
  readonly operations: Operations;
  readonly #scheduler: CampaignScheduler;
  readonly #storage: Storage;
  readonly #jobs: InProcessJobs;
  readonly #outbox: WebhookOutbox;
  readonly #clock: PacedClock;
  #live: LiveCall[] = [];
  #rooms = 0;
  dialed = 0;

  constructor(storage: Storage, clock: PacedClock) {
    this.#storage = storage;
    this.#clock = clock;
    this.#jobs = new InProcessJobs(clock);
    const webhooks = new ScriptedWebhooks();
    const common = { storage, clock, random: systemRandom, logger: silentLogger };
    this.#outbox = new WebhookOutbox({ ...common, webhooks });
    const campaignChanges = new CampaignChanges({ ...common, jobs: this.#jobs, outbox: this.#outbox });
    const recordings = {
      create: () => Promise.reject(new Error('Nothing records here.')),
      open: async () => null,
      delete: async () => false,
    };
    this.operations = createOperations({ ...common, jobs: this.#jobs, webhooks, campaignChanges, recordings });
    const rooms = (): number => this.#rooms;
    this.#scheduler = new CampaignScheduler({
      ...common,
      campaignChanges,
      mayCall: undefined,
      calls: {
        nodeId: uuidv7(clock),
        limit: maxCalls,
        get count() {
          return rooms();
        },
        admits: () => rooms() < maxCalls,
        takeRoom: async () => this.#takeRoom(),
        place: (request, room) => this.#place(request, room),
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

  /** Stores the ends of calls that are due, or of all. */
  async endCalls(all = false): Promise<void> {
    const nowMs = this.#clock.wallMs();
    const over = this.#live.filter(({ endsAtMs }) => all || endsAtMs <= nowMs);
    this.#live = this.#live.filter((call) => !over.includes(call));
    for (const { request, room } of over) {
      await this.#storeEnd(request.organization.id, request.call);
      room.give();
    }
  }

  #takeRoom(): Room {
    if (this.#rooms >= maxCalls) throw new RequestError(503, 'unavailable', 'There is no room.');
    this.#rooms += 1;
    const give = (): void => {
      this.#rooms -= 1;
    };
    return { give };
  }

  #place(request: OutboundRequest, room: Room): void {
    this.dialed += 1;
    this.#live.push({ request, room, endsAtMs: this.#clock.wallMs() + callSeconds * 1_000 });
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
      pricing: null,
      logger: silentLogger,
    };
    const ended = { ...call, ...end, ended_at: now, updated_at: now };
    await storeEndedCall(deps, orgId, ended, noWebhooks, { reportsLater: false, jobs: [] });
  }
}
