import { memory } from '@va/storage/memory';
import { ScriptedIncomingCall, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/errors.ts';
import type { OutgoingMail } from '../../src/ports/mail/mail-sender.ts';
import { dialedNumber, PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { keep } = phoneCalls();
/** Longer than the longest delay before a retry. */
const longMs = 13 * 3_600_000;

interface Options {
  readonly agent?: Record<string, unknown>;
  /** Null: no sender address. */
  readonly from?: string | null;
  /** The errors of the first attempts; later attempts succeed. */
  readonly failures?: Error[];
}

async function setUp({ agent = {}, failures = [], from = 'calls@host.test' }: Options = {}) {
  const storage = memory();
  const mails: OutgoingMail[] = [];
  const attempts: OutgoingMail[] = [];
  const mailer = {
    async sendMail(mail: OutgoingMail) {
      attempts.push(mail);
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      mails.push(mail);
    },
  };
  const llm = scriptedLlm((request) =>
    saying(request.messages.some(({ content }) => content.includes('transcript')) ? 'It was short.' : 'All right.'),
  );
  const call = keep(
    new PhoneCall({
      llm,
      stt: scriptedStt({ turns: ['Hello.'] }),
      service: { storage, mail: { sender: mailer, ...(from === null ? {} : { from }) } },
    }),
  );
  await call.prepare({ first_message: 'Hi.', notification_email: 'owner@harbour.test', ...agent });
  return { call, storage, mails, attempts };
}

async function talk(call: PhoneCall): Promise<void> {
  await call.dial();
  await call.quiet(500);
  await call.speak(600);
  await call.quiet(2_000);
  call.incoming.leave();
  await call.clock.advance(7_000);
}

describe('the mail to notification_email', () => {
  it('is sent once after the call, with its summary', async () => {
    const { call, mails } = await setUp({ agent: { business_name: 'Harbour' } });
    await talk(call);
    await call.clock.advance(longMs);
    const { id } = await call.stored();
    expect(mails).toMatchObject([
      {
        ...{ to: 'owner@harbour.test', from: { name: 'Harbour', address: 'calls@host.test' } },
        messageId: `call-${id}@host.test`,
        text: expect.stringContaining('SUMMARY\nIt was short.'),
      },
    ]);
  });

  it('uses a sender address of the organization’s verified domain', async () => {
    const { call, storage, mails } = await setUp();
    const domain = { id: '00000000-0000-7000-8000-000000000001', domain_name: 'mail.harbour.test', provider: 'resend' };
    const rest = { provider_domain_id: null, region: null, records: [], is_ours: false, verified_at: null };
    const at = '2026-01-01T00:00:00.000Z';
    await storage.mailDomains.insert(call.orgId, {
      ...{ ...domain, ...rest, status: 'pending', created_at: at, updated_at: at },
    });
    await talk(call);
    await storage.mailDomains.update(call.orgId, domain.id, { status: 'verified' });
    call.incoming = new ScriptedIncomingCall({ to: dialedNumber });
    await talk(call);
    expect(mails.map(({ from }) => from.address)).toEqual(['calls@host.test', 'calls@mail.harbour.test']);
  });

  it('is retried with the same message id when sending failed', async () => {
    const away = new ProviderError('smtp', 'connection', 'connection refused');
    const { call, mails, attempts } = await setUp({ failures: [away, away] });
    await talk(call);
    expect(mails).toHaveLength(0);
    await call.clock.advance(3 * 60_000);
    expect(mails).toHaveLength(1);
    expect(new Set(attempts.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('is not retried after a permanent failure', async () => {
    const { call, attempts } = await setUp({
      failures: [new ProviderError('smtp', 'invalid_request', 'no such address')],
    });
    await talk(call);
    await call.clock.advance(longMs);
    expect(attempts).toHaveLength(1);
  });

  it.each([
    ['the agent has no notification_email', { agent: { notification_email: null } }],
    ['there is no sender address', { from: null }],
  ])('is not sent when %s', async (_name, options) => {
    const { call, attempts } = await setUp(options);
    await talk(call);
    expect(attempts).toEqual([]);
  });

  it('is not sent when the call was not answered', async () => {
    const { call, attempts } = await setUp();
    await call.va.operations.organizations.update(call.orgId, { minutes_balance: 0 });
    await call.dial();
    await call.clock.advance(10_000);
    expect(attempts).toEqual([]);
  });

  it('is not sent when the call was erased first', async () => {
    const { call, attempts } = await setUp({
      failures: [new ProviderError('smtp', 'connection', 'connection refused')],
    });
    await talk(call);
    await call.va.operations.calls.delete(call.orgId, (await call.stored()).id);
    await call.clock.advance(10 * 60_000);
    expect(attempts).toHaveLength(1);
  });
});
