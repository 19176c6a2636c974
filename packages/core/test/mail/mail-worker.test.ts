import { memory } from '@va/storage/memory';
import { silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/errors.ts';
import { InProcessJobs } from '../../src/jobs/in-process-jobs.ts';
import { type ComposedMail, type MailJob, MailWorker, mailJob } from '../../src/mail/mail-worker.ts';
import type { OutgoingMail } from '../../src/ports/mail/mail-sender.ts';
import { orgId } from '../operations/support.ts';

const mail: ComposedMail = { name: 'Harbour', localId: 'call-1', subject: 'S', text: 'T', html: 'H' };
const job: MailJob = { orgId, to: 'owner@harbour.test', attempts: 0 };
const dayMs = 24 * 3_600_000;

let clock: VirtualClock;
let jobs: InProcessJobs;
let sent: OutgoingMail[];
/** Wall times of the attempts, in seconds from the first. */
let attempts: number[];
let failed: string[];
let logged: string[];

beforeEach(() => {
  clock = new VirtualClock();
  jobs = new InProcessJobs(clock);
  [sent, attempts, failed, logged] = [[], [], [], []];
});

async function work(
  options: {
    readonly composed?: ComposedMail | null;
    readonly failures?: readonly Error[];
    readonly from?: string | null;
    readonly data?: object;
    readonly forMs?: number;
  } = {},
): Promise<void> {
  const { composed = mail, failures = [], from = 'calls@host.test', data = job, forMs = 60_000 } = options;
  const log = (_fields: object, message: string): void => void logged.push(message);
  const worker = new MailWorker<MailJob>({
    storage: memory(),
    jobs,
    clock,
    defaultFrom: from,
    logger: { ...silentLogger, warn: log, error: log },
    sender: {
      sendMail: async (outgoing) => {
        attempts.push(clock.nowMs() / 1_000);
        const failure = failures[attempts.length - 1];
        if (failure !== undefined) throw failure;
        sent.push(outgoing);
      },
    },
    onJobFailed: (queue) => failed.push(queue),
    parse: (given) => (typeof given === 'object' && given !== null && 'to' in given ? (given as MailJob) : null),
    compose: async () => composed,
  });
  await jobs.send([{ ...mailJob('mail-1', job, 0), data: { ...data } }]);
  worker.start();
  await clock.advance(forMs);
  await worker.stop(0);
}

describe('MailWorker', () => {
  it('sends a mail once, from the sender of the host', async () => {
    await work();
    expect(sent).toEqual([
      {
        subject: 'S',
        text: 'T',
        html: 'H',
        to: 'owner@harbour.test',
        messageId: 'call-1@host.test',
        from: { name: 'Harbour', address: 'calls@host.test' },
      },
    ]);
    expect(await jobs.waiting('mails')).toBe(0);
  });

  it.each([
    ['Har\r\nBcc: x@y.test', 'Har Bcc: x@y.test'],
    [' \u0000 ', null],
    [null, null],
  ])('keeps the sender name %j on one line', async (name, shown) => {
    await work({ composed: { ...mail, name } });
    expect(sent[0]?.from.name).toBe(shown);
  });

  it('repeats a failed mail after growing delays, seven times in all', async () => {
    const down = new ProviderError('smtp', 'unavailable', 'try again later');
    await work({ failures: Array.from({ length: 10 }, () => down), forMs: dayMs });
    const delays = attempts.slice(1).map((at, n) => Math.round((at - (attempts[n] ?? 0)) / 10) * 10);
    expect(delays).toEqual([30, 120, 600, 3_600, 21_600, 43_200]);
    expect(logged.at(-1)).toBe('mail given up after its last attempt');
    expect([failed.length, await jobs.waiting('mails')]).toEqual([7, 0]);
  });

  it('sends the same message id again after a failure of another kind', async () => {
    await work({ failures: [new TypeError('a defect')] });
    expect([attempts.length, sent[0]?.messageId]).toEqual([2, 'call-1@host.test']);
  });

  it('does not repeat a mail that was refused', async () => {
    await work({ failures: [new ProviderError('smtp', 'invalid_request', 'no such mailbox')] });
    expect([attempts.length, sent, logged]).toEqual([1, [], ['mail given up after its last attempt']]);
    expect(await jobs.waiting('mails')).toBe(0);
  });

  it.each([
    ['there is nothing to report any more', { composed: null }],
    ['there is no sender address', { from: null }],
    ['its job is of another kind', { data: { orgId } }],
  ])('sends nothing, and keeps no job, if %s', async (_case, options) => {
    await work(options);
    expect([attempts, await jobs.waiting('mails')]).toEqual([[], 0]);
  });
});
