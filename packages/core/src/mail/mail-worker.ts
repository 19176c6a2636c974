import { ProviderError } from '../errors.ts';
import { type ActiveJob, JobWorker } from '../jobs/job-worker.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobQueue, NewJob } from '../ports/jobs.ts';
import type { Logger } from '../ports/logger.ts';
import type { MailAddress, MailSender } from '../ports/mail/mail-sender.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** Queue of the jobs that send mails. */
const mailQueue = 'mails';

const maxInFlight = 20;
/** Delays before the second and later attempts. */
const retryDelaysMs = [30_000, 120_000, 600_000, 3_600_000, 6 * 3_600_000, 12 * 3_600_000];

/** Data of a job of the queue. */
export interface MailJob {
  readonly orgId: string;
  readonly to: string;
  /** Attempts made. */
  readonly attempts: number;
}

/** A mail without sender and recipient. */
export interface ComposedMail {
  /** Display name of the sender. */
  readonly name: string | null;
  /** Part of the `Message-ID` before the `@`; the same for every attempt. */
  readonly localId: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailWorkerDependencies {
  readonly storage: Storage;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Without a sender no mails are sent. */
  readonly sender: MailSender | null;
  /** Sender address used when the organization has no verified domain; null: its mails are not sent then. */
  readonly defaultFrom: string | null;
  /** Called for each attempt that failed. */
  readonly onJobFailed?: ((queue: string) => void) | undefined;
}

export interface MailWorkerOptions<J extends MailJob> extends MailWorkerDependencies {
  /** Returns null for data of another kind. */
  readonly parse: (data: unknown) => J | null;
  /** Returns null if there is nothing to report any more. */
  readonly compose: (job: J) => Promise<ComposedMail | null>;
}

/** Sends mails stored as jobs, each until it is accepted or fails for good. */
export class MailWorker<J extends MailJob> {
  readonly #options: MailWorkerOptions<J>;
  readonly #worker: JobWorker;

  constructor(options: MailWorkerOptions<J>) {
    this.#options = options;
    this.#worker = new JobWorker({ ...options, queue: mailQueue, limit: maxInFlight, work: (job) => this.#work(job) });
  }

  start(): void {
    if (this.#options.sender !== null) this.#worker.start();
  }

  async stop(drainMs: number): Promise<void> {
    await this.#worker.stop(drainMs);
  }

  async #work(job: ActiveJob): Promise<void> {
    const { jobs, parse } = this.#options;
    const parsed = parse(job.data);
    const delayMs = parsed === null ? null : await this.#attempt(parsed);
    await job.release();
    const isOver = parsed === null || delayMs === null;
    const next = isOver ? null : mailJob(job.id, { ...parsed, attempts: parsed.attempts + 1 }, delayMs);
    await jobs.settle(mailQueue, { done: next === null ? [job.id] : [], again: next === null ? [] : [next] });
  }

  /** Attempts to send a mail. Returns the delay before the next attempt; null if there is none. */
  async #attempt(job: J): Promise<number | null> {
    const { sender, compose, logger, onJobFailed } = this.#options;
    const mail = await compose(job);
    if (mail === null || sender === null) return null;
    const { localId, name, ...content } = mail;
    const { orgId, to, attempts } = job;
    const address = await this.#from(orgId);
    if (address === null) {
      logger.warn(
        { orgId, mail: localId },
        'mail not sent: no verified domain of the organization and no sender address of the host',
      );
      return null;
    }
    const from: MailAddress = { name: oneLine(name), address };
    const [, domain = 'localhost'] = address.split('@');
    try {
      await sender.sendMail({ ...content, from, to, messageId: `${localId}@${domain}` });
      return null;
    } catch (thrown) {
      onJobFailed?.(mailQueue);
      const mayPass = !(thrown instanceof ProviderError) || thrown.retryable;
      const delayMs = mayPass ? (retryDelaysMs[attempts] ?? null) : null;
      const fields = { err: thrown, orgId, mail: localId, attempt: attempts + 1, delayMs };
      if (delayMs === null) logger.error(fields, 'mail given up after its last attempt');
      else logger.warn(fields, 'failed to send a mail; it will be retried');
      return delayMs;
    }
  }

  async #from(orgId: string): Promise<string | null> {
    const { storage, defaultFrom } = this.#options;
    const [domain] = await storage.mailDomains.list(orgId, { where: { status: 'verified' }, limit: 1 });
    return domain === undefined ? defaultFrom : `calls@${domain.domain_name}`;
  }
}

export function mailJob(id: string, data: MailJob, afterMs: number): NewJob {
  return { queue: mailQueue, id, data: { ...data }, afterMs };
}

function oneLine(name: string | null): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a header is one line
  return name?.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim() || null;
}
