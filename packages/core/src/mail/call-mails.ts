import { z } from 'zod';
import type { Call } from '../domain/call.ts';
import { ProviderError } from '../errors.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import { type JobInHand, JobWorker } from '../jobs/job-worker.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobQueue, NewJob } from '../ports/jobs.ts';
import type { Logger } from '../ports/logger.ts';
import type { MailAddress, MailSender } from '../ports/mail-sender.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { callMail } from './call-mail/call-mail.ts';

const queue = 'mails';
const maxInHand = 20;
/** Before the second attempt, the third, and so on. */
const retryDelaysMs = [30_000, 120_000, 600_000, 3_600_000, 6 * 3_600_000, 12 * 3_600_000];

const jobSchema = z.object({ orgId: z.string(), callId: z.string(), to: z.string(), attempts: z.int() });
type MailJob = z.infer<typeof jobSchema>;

export interface CallMailDependencies {
  readonly storage: Storage;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  /** Without one no mails are sent. */
  readonly sender: MailSender | null;
  /** Whom mails come from where an organization has no verified domain; null sends none then. */
  readonly defaultFrom: string | null;
  /** Opens the recording for whoever has the link; null where there is no such link. */
  readonly recordingLink: (orgId: string, call: Call) => Promise<string | null>;
}

/** The mails to `notification_email` after calls: each a job that is stored with what it tells of. */
export class CallMails {
  readonly #deps: CallMailDependencies;
  readonly #worker: JobWorker;

  constructor(deps: CallMailDependencies) {
    this.#deps = deps;
    this.#worker = new JobWorker({ ...deps, queue, limit: maxInHand, work: (job) => this.#work(job) });
  }

  start(): void {
    if (this.#deps.sender !== null) this.#worker.start();
  }

  async stop(drainMs: number): Promise<void> {
    await this.#worker.stop(drainMs);
  }

  /** None where nobody wants a mail, or nobody has talked. */
  jobs(orgId: string, call: Call, to: string | null): readonly NewJob[] {
    const { sender, clock, random } = this.#deps;
    if (sender === null || to === null || call.answered_at === null) return [];
    return [mailJob(uuidv7(clock, random), { orgId, callId: call.id, to, attempts: 0 }, 0)];
  }

  async #work(job: JobInHand): Promise<void> {
    const { jobs } = this.#deps;
    const parsed = jobSchema.safeParse(job.data);
    const delayMs = parsed.success ? await this.#attempt(parsed.data) : null;
    await job.release();
    if (!parsed.success || delayMs === null) {
      await jobs.settle(queue, { done: [job.id], again: [] });
      return;
    }
    const { attempts, ...rest } = parsed.data;
    await jobs.settle(queue, { done: [], again: [mailJob(job.id, { ...rest, attempts: attempts + 1 }, delayMs)] });
  }

  /** How long to wait before the next attempt; null where there is none. */
  async #attempt({ orgId, callId, to, attempts }: MailJob): Promise<number | null> {
    const { storage, sender, recordingLink, logger } = this.#deps;
    const call = await storage.calls.get(orgId, callId);
    if (call === null || call.erased_at !== null || sender === null) return null;
    const from = await this.#from(orgId, call);
    if (from === null) {
      logger.warn(
        { orgId, callId },
        'no mail is sent: the organization has no verified domain, and the host no address',
      );
      return null;
    }
    const [, domain = 'localhost'] = from.address.split('@');
    const mail = callMail(call, await recordingLink(orgId, call));
    try {
      await sender.sendMail({ ...mail, from, to, messageId: `call-${callId}@${domain}` });
      return null;
    } catch (thrown) {
      const mayPass = !(thrown instanceof ProviderError) || thrown.retryable;
      const delayMs = mayPass ? (retryDelaysMs[attempts] ?? null) : null;
      const fields = { err: thrown, orgId, callId, attempt: attempts + 1, delayMs };
      if (delayMs === null) logger.error(fields, 'the mail of a call is given up');
      else logger.warn(fields, 'the mail of a call failed, to be repeated');
      return delayMs;
    }
  }

  async #from(orgId: string, { business_name: business, agent_name: agent }: Call): Promise<MailAddress | null> {
    const { storage, defaultFrom } = this.#deps;
    const [domain] = await storage.mailDomains.list(orgId, { where: { status: 'verified' }, limit: 1 });
    const address = domain === undefined ? defaultFrom : `calls@${domain.domain_name}`;
    return address === null ? null : { name: oneLine(business ?? agent), address };
  }
}

function mailJob(id: string, data: MailJob, afterMs: number): NewJob {
  return { queue, id, data, afterMs };
}

function oneLine(name: string | null): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a header is one line
  return name?.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim() || null;
}
