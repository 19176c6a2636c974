import { silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { timestamp } from '../../src/clock/timestamp.ts';
import type { WebhookEndpoint } from '../../src/domain/webhooks/webhook-endpoint.ts';
import { systemRandom } from '../../src/ids.ts';
import { InProcessJobs } from '../../src/jobs/in-process-jobs.ts';
import { endpointMail } from '../../src/mail/endpoint-mail.ts';
import { Mails } from '../../src/mail/mails.ts';
import type { OutgoingMail } from '../../src/ports/mail/mail-sender.ts';
import { organizationOf, orgId, otherOrgId, testOperations } from '../operations/support.ts';

const url = 'https://customer.example/hook';
const elsewhere = 'https://other.example/hook';

async function setUp(failures: Error[] = []) {
  const { operations, storage, clock } = testOperations();
  const jobs = new InProcessJobs(clock);
  const sent: OutgoingMail[] = [];
  const sender = {
    async sendMail(mail: OutgoingMail) {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      sent.push(mail);
    },
  };
  const mails = new Mails({
    ...{ storage, jobs, clock, random: systemRandom, logger: silentLogger, sender, defaultFrom: 'calls@host.test' },
    recordingLink: async () => null,
  });
  await storage.organizations.insert(orgId, { ...organizationOf(orgId, clock), webhook_url: url });
  await storage.organizations.insert(otherOrgId, organizationOf(otherOrgId, clock));
  const addAgent = (webhook_url: string | null, notification_email: string | null, org = orgId) =>
    operations.agents.create(org, { name: 'A', webhook_url, notification_email });
  const endpoint: WebhookEndpoint = {
    ...{ id: '00000000-0000-7000-8000-0000000000e1', url, failing_since: timestamp(clock) },
    ...{ disabled_at: timestamp(clock), reason: 'It answered 410 Gone.', created_at: timestamp(clock) },
  };
  const disable = async (): Promise<void> => {
    await jobs.send(await storage.transaction((tx) => mails.endpointJobs(tx, orgId, endpoint)));
    mails.start();
    await clock.advance(10_000);
  };
  return { addAgent, disable, sent, clock, mails };
}

describe('the mail about a disabled webhook server', () => {
  it('is sent once to each notification address of the agents that use the server', async () => {
    const { addAgent, disable, sent } = await setUp();
    await addAgent(url, 'own@harbour.test');
    await addAgent(null, 'default@harbour.test');
    await addAgent(url, 'own@harbour.test');
    await addAgent(elsewhere, 'elsewhere@harbour.test');
    await addAgent(url, null);
    await addAgent(url, 'foreign@other.test', otherOrgId);
    await disable();
    expect(sent.map(({ to }) => to).sort()).toEqual(['default@harbour.test', 'own@harbour.test']);
    expect(sent[0]).toMatchObject({
      subject: 'Webhooks are off: customer.example',
      from: { name: null, address: 'calls@host.test' },
      text: expect.stringContaining('It answered 410 Gone.'),
    });
  });

  it('is retried with the same message id when sending failed', async () => {
    const { addAgent, disable, sent, clock } = await setUp([new Error('away'), new Error('away')]);
    await addAgent(url, 'own@harbour.test');
    await disable();
    expect(sent).toEqual([]);
    await clock.advance(600_000);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.messageId).toMatch(/^webhook-.*@host\.test$/);
  });

  it('escapes the URL in HTML', () => {
    const disabledAt = '2026-03-04T05:06:07.000Z';
    const { html, text } = endpointMail({ url: 'https://a.test/<b>&"', reason: 'It answered 410 Gone.', disabledAt });
    expect(html).toContain('https://a.test/&lt;b&gt;&amp;&quot;');
    expect(text).toContain('Since: 2026-03-04 at 05:06 UTC');
  });
});
