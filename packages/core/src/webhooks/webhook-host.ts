import { timestamp } from '../clock/timestamp.ts';
import type { EmitServiceEvent } from '../events.ts';
import type { RandomBytes } from '../ids.ts';
import type { Mails } from '../mail/mails.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobQueue } from '../ports/jobs.ts';
import type { Logger } from '../ports/logger.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { WebhookHost } from '../ports/webhooks.ts';
import { DeliveryLog } from './delivery-log.ts';
import { EndpointHealth } from './endpoint-health.ts';
import { targetToday } from './target.ts';

/** Creates the dispatcher's interface to the service. `load` reads the failing endpoints. */
export function createWebhookHost(deps: {
  readonly storage: Storage;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  /** Creates the jobs of mails about disabled endpoints. */
  readonly mails?: Pick<Mails, 'endpointJobs'>;
  readonly emit: EmitServiceEvent;
}): WebhookHost & { load(): Promise<void> } {
  const { storage, jobs, clock, logger, emit } = deps;
  const log = new DeliveryLog(deps);
  const health = new EndpointHealth({ ...deps, onDisabled: (event) => emit('webhook.disabled', event) });
  return {
    clock,
    logger,
    jobs,
    load: () => health.load(),
    disabled: (orgId, url) => health.disabled(orgId, url),
    onAttempt: (attempt) => emit('webhook.attempt', attempt),

    async settle(results) {
      await log.settle(results);
      await health.observe(results.attempts);
    },

    async targetOf({ orgId, agentId, url }) {
      const [organization, agent] = await Promise.all([
        storage.organizations.get(orgId, orgId),
        agentId === null ? null : storage.agents.get(orgId, agentId),
      ]);
      return targetToday({ organization, agent, now: timestamp(clock) }, url);
    },
  };
}
