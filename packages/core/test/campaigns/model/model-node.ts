import { type Call, type Operations, RequestError } from '@va/core';
import {
  type CallSlot,
  createOperations,
  type OutboundRequest,
  type RecordingStore,
  type Storage,
  systemRandom,
  WebhookOutbox,
} from '@va/core/adapter';
import { ScriptedWebhooks, silentLogger } from '@va/testkit';

import { noWebhooks, storeEndedCall } from '../../../src/calls/record/call-end.ts';
import { CampaignScheduler } from '../../../src/campaigns/scheduling/scheduler.ts';
import { CampaignPublisher } from '../../../src/campaigns/status/campaign-publisher.ts';

import { uuidv7 } from '../../../src/ids.ts';
import { InProcessJobs } from '../../../src/jobs/in-process-jobs.ts';
import type { ModelClock } from './model-clock.ts';
import { Mortal } from './mortal-storage.ts';

const noRecordings: RecordingStore = {
  create: () => Promise.reject(new Error('recording is disabled')),
  open: async () => null,
  delete: async () => false,
};

/** A process with a scheduler, whose calls are ended by the test and whose storage can fail at any moment. */
export class ModelNode {
  readonly id: string;
  readonly limit: number;
  readonly live = new Map<string, OutboundRequest>();
  readonly operations: Operations;
  readonly scheduler: CampaignScheduler;
  readonly #mortal = new Mortal();
  readonly #storage: Storage;
  readonly #jobs: InProcessJobs;
  readonly #outbox: WebhookOutbox;
  readonly #clock: ModelClock;
  readonly #changes: CampaignPublisher;
  #slots = 0;

  constructor(
    shared: Storage,
    clock: ModelClock,
    options: { readonly limit: number; readonly onDial: (node: ModelNode, request: OutboundRequest) => void },
  ) {
    this.id = uuidv7(clock);
    this.limit = options.limit;
    this.#clock = clock;
    this.#storage = this.#mortal.storage(shared);
    this.#jobs = new InProcessJobs(clock);
    const webhooks = new ScriptedWebhooks();
    const common = { storage: this.#storage, clock, random: systemRandom, logger: silentLogger };
    this.#outbox = new WebhookOutbox({ ...common, webhooks });
    const campaignPublisher = new CampaignPublisher({ ...common, jobs: this.#jobs, outbox: this.#outbox });
    this.#changes = campaignPublisher;
    this.operations = createOperations({
      ...common,
      jobs: this.#jobs,
      webhooks,
      campaignPublisher,
      recordings: noRecordings,
    });
    const self = this;
    this.scheduler = new CampaignScheduler({
      ...common,
      campaignPublisher,
      mayCall: undefined,
      calls: {
        nodeId: this.id,
        limit: options.limit,
        get count() {
          return self.#slots;
        },
        admits: () => this.#slots < options.limit,
        acquireSlot: async (): Promise<CallSlot> => {
          if (this.#slots >= options.limit) throw new RequestError(503, 'unavailable', 'No capacity for another call.');
          this.#slots += 1;
          return {
            release: () => {
              this.#slots -= 1;
            },
          };
        },
        place: (request) => {
          if (this.isDead) return;
          this.live.set(request.call.id, request);
          options.onDial(this, request);
        },
      },
    });
    this.scheduler.start();
  }

  get isDead(): boolean {
    return this.#mortal.isDead;
  }

  dieAfter(verbs: number): void {
    this.#mortal.dieAfter(verbs);
  }

  async settled(): Promise<void> {
    await this.scheduler.settled();
  }

  async stop(): Promise<void> {
    await this.scheduler.stop();
  }

  /** Stores the end of a call, for the process that ran it or one that found it lost. */
  async store(orgId: string, call: Call): Promise<void> {
    const deps = {
      ...{ storage: this.#storage, jobs: this.#jobs, clock: this.#clock, random: systemRandom },
      outbox: this.#outbox,
      prices: { currency: null },
      logger: silentLogger,
    };
    await storeEndedCall(deps, orgId, call, noWebhooks, { reportsLater: false, jobs: [] });
    if (this.live.delete(call.id)) this.#slots -= 1;
    if (call.campaign_id !== null) this.#changes.progressed(orgId, call.campaign_id);
  }
}
