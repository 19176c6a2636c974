import { ScriptedWebhooks, silentLogger } from '@va/testkit';
import { systemRandom } from '../../src/ids.ts';
import { InProcessJobs } from '../../src/jobs/in-process-jobs.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { WebhookOutbox } from '../../src/webhooks/outbox.ts';

/** Returns the jobs of a process, and an outbox whose messages the scripted webhooks keep. */
export function startedWebhooks(clock: Clock) {
  const base = { clock, random: systemRandom, logger: silentLogger, jobs: new InProcessJobs(clock) };
  const webhooks = new ScriptedWebhooks();
  webhooks.start({
    ...base,
    settle: async () => {},
    targetOf: async () => null,
    disabled: async () => null,
    onAttempt() {},
  });
  return { ...base, webhooks, outbox: new WebhookOutbox({ ...base, webhooks }) };
}
