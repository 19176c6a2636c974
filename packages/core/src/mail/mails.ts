import { z } from 'zod';
import type { Call } from '../domain/calls/call.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import type { NewJob } from '../ports/jobs.ts';
import type { Records } from '../ports/storage/records.ts';
import { callMail } from './call-mail/call-mail.ts';
import { endpointMail } from './endpoint-mail.ts';
import { type ComposedMail, MailWorker, type MailWorkerDependencies, mailJob } from './mail-worker.ts';

const about = { orgId: z.string(), to: z.string(), attempts: z.int() };
const callJobSchema = z.object({ ...about, callId: z.string() });
const endpointJobSchema = z.object({
  ...about,
  endpoint: z.object({ id: z.string(), url: z.string(), reason: z.string(), disabledAt: z.string() }),
});
const jobSchema = z.union([callJobSchema, endpointJobSchema]);
type NotificationJob = z.infer<typeof jobSchema>;

/** Maximum agents of an organization searched for addresses. */
const maxAgents = 1_000;
/** Maximum recipients. */
const maxRecipients = 20;

export interface MailDependencies extends MailWorkerDependencies {
  readonly random: RandomBytes;
  /** Returns a URL that opens the recording; null if there is none. */
  readonly recordingLink: (orgId: string, call: Call) => Promise<string | null>;
}

/** Mails to `notification_email`, each a job stored with the change that it reports. */
export class Mails {
  readonly #deps: MailDependencies;
  readonly #worker: MailWorker<NotificationJob>;

  constructor(deps: MailDependencies) {
    this.#deps = deps;
    this.#worker = new MailWorker<NotificationJob>({
      ...deps,
      parse: (data) => jobSchema.safeParse(data).data ?? null,
      compose: (job) => ('callId' in job ? this.#ofCall(job) : Promise.resolve(ofEndpoint(job))),
    });
  }

  start(): void {
    this.#worker.start();
  }

  async stop(drainMs: number): Promise<void> {
    await this.#worker.stop(drainMs);
  }

  /** Returns the jobs of the mail about a call; none without a recipient, or if the call was not answered. */
  jobs(orgId: string, call: Call, to: string | null): readonly NewJob[] {
    if (to === null || call.answered_at === null) return [];
    return this.#jobs([to], (address) => ({ orgId, callId: call.id, to: address, attempts: 0 }));
  }

  /**
   * Returns the jobs about a disabled endpoint: to the `notification_email` of each agent whose webhooks go there,
   * because an organization has no address of its own.
   */
  async endpointJobs(
    tx: Records,
    orgId: string,
    { id, url, reason, disabled_at: disabledAt }: WebhookEndpoint,
  ): Promise<readonly NewJob[]> {
    if (this.#deps.sender === null || disabledAt === null) return [];
    const organization = await tx.organizations.get(orgId, orgId);
    const agents = await tx.agents.list(orgId, { limit: maxAgents });
    const told = agents.filter((agent) => (agent.webhook_url ?? organization?.webhook_url) === url);
    const addresses = new Set(told.flatMap(({ notification_email: address }) => address ?? []));
    const endpoint = { id, url, reason: reason ?? '', disabledAt };
    return this.#jobs([...addresses].slice(0, maxRecipients), (to) => ({ orgId, to, attempts: 0, endpoint }));
  }

  #jobs(addresses: readonly string[], dataOf: (to: string) => NotificationJob): readonly NewJob[] {
    const { sender, clock, random } = this.#deps;
    if (sender === null) return [];
    return addresses.map((to) => mailJob(uuidv7(clock, random), dataOf(to), 0));
  }

  async #ofCall({ orgId, callId }: z.infer<typeof callJobSchema>): Promise<ComposedMail | null> {
    const { storage, recordingLink } = this.#deps;
    const call = await storage.calls.get(orgId, callId);
    if (call === null || call.erased_at !== null) return null;
    const name = call.business_name ?? call.agent_name;
    return { ...callMail(call, await recordingLink(orgId, call)), name, localId: `call-${callId}` };
  }
}

function ofEndpoint({ endpoint }: z.infer<typeof endpointJobSchema>): ComposedMail {
  return {
    ...endpointMail(endpoint),
    name: null,
    localId: `webhook-${endpoint.id}-${Date.parse(endpoint.disabledAt)}`,
  };
}
