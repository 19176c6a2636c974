import { ProviderError } from '@va/core';
import { type ResendOptions, resend } from '@va/mail/resend';
import { type ResendFault, ResendServer, type ResendStatus } from '@va/test-servers/mail-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let server: ResendServer;
beforeEach(async () => {
  server = await ResendServer.start({ sendingKeys: ['re_sending'] });
});
afterEach(() => server.close());

function mail(options: Partial<ResendOptions> = {}) {
  return resend({ apiKey: 're_test', baseUrl: server.url, ...options });
}

function asked(): string[] {
  return server.requests.map(({ method, path }) => `${method} ${path}`);
}

async function failure(work: Promise<unknown>): Promise<ProviderError> {
  const thrown = await work.then(
    () => new Error('It did not fail.'),
    (error: unknown) => error,
  );
  if (thrown instanceof ProviderError) return thrown;
  throw thrown;
}

describe('resend', () => {
  it('adds a domain, and returns the records to publish', async () => {
    const domain = await mail().addDomain('example.com');
    expect(domain).toEqual({
      id: server.domains[0]?.id,
      name: 'example.com',
      status: 'not_started',
      region: 'us-east-1',
      records: [
        {
          record: 'SPF',
          name: 'send',
          type: 'MX',
          ttl: 'Auto',
          value: 'feedback-smtp.us-east-1.amazonses.com',
          priority: 10,
          status: 'not_started',
        },
        expect.objectContaining({ record: 'SPF', type: 'TXT', priority: null }),
        expect.objectContaining({ record: 'DKIM', name: 'resend._domainkey', type: 'TXT' }),
      ],
    });
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/domains',
      body: { name: 'example.com' },
      headers: { authorization: 'Bearer re_test', 'content-type': 'application/json' },
    });
  });

  it('adds a domain in the configured region', async () => {
    expect(await mail({ region: 'eu-west-1' }).addDomain('example.com')).toMatchObject({ region: 'eu-west-1' });
  });

  it('returns the existing domain when the account has it already', async () => {
    const existing = server.create('example.com');
    expect(await mail().addDomain('example.com')).toMatchObject({ id: existing.id });
    expect(server.domains).toHaveLength(1);
  });

  it('fails when the service rejects the domain', async () => {
    const error = await failure(mail().addDomain('not a domain'));
    expect(error).toMatchObject({ fault: 'invalid_request', status: 422 });
    expect(error.message).toContain('not a domain');
  });

  it.each<[ResendStatus, string]>([
    ['not_started', 'not_started'],
    ['pending', 'pending'],
    ['temporary_failure', 'pending'],
    ['verified', 'verified'],
    ['partially_verified', 'partially_verified'],
    ['partially_failed', 'partially_failed'],
    ['failed', 'failed'],
  ])('reads the status %s as %s', async (status, expected) => {
    const { id, name } = server.create('example.com');
    server.settle(name, status, ['verified', status, 'failed']);
    const domain = await mail().getDomain(id);
    expect(domain?.status).toBe(expected);
    expect(domain?.records.map((record) => record.status)).toEqual(['verified', expected, 'failed']);
  });

  it('maps an unknown status to pending', async () => {
    const created = server.create('example.com');
    Object.assign(created, { status: 'contemplating' });
    expect(await mail().getDomain(created.id)).toMatchObject({ status: 'pending' });
  });

  it('requests a check, and reads its result', async () => {
    const { id } = server.create('example.com');
    expect(await mail().verifyDomain(id)).toBe(true);
    expect(await mail().getDomain(id)).toMatchObject({ status: 'pending' });
    expect(asked()).toEqual([`POST /domains/${id}/verify`, `GET /domains/${id}`]);
  });

  it('returns false when the domain was removed before', async () => {
    const { id } = server.create('example.com');
    expect(await mail().removeDomain(id)).toBe(true);
    expect(await mail().removeDomain(id)).toBe(false);
    expect(server.domains).toEqual([]);
  });

  it('lists every domain of the account, page after page', async () => {
    for (let at = 0; at < 250; at++) server.create(`d${at}.example.com`);
    const domains = await mail().listDomains();
    expect(domains.map(({ name }) => name)).toEqual(Array.from({ length: 250 }, (_, at) => `d${249 - at}.example.com`));
    expect(domains[0]).toEqual({
      id: server.domains[249]?.id,
      name: 'd249.example.com',
      status: 'not_started',
      region: 'us-east-1',
    });
    expect(asked()).toHaveLength(3);
  });

  it.each(['d91cd9bd-1176-453e-8fc1-aaaaaaaaaaaa', 'nothing', '', '.', '../api-keys', 'a/b?limit=1', '%00'])(
    'returns null for the unknown domain %j',
    async (id) => {
      server.create('example.com');
      expect(await mail().getDomain(id)).toBeNull();
      expect(await mail().verifyDomain(id)).toBe(false);
      expect(await mail().removeDomain(id)).toBe(false);
      expect(server.domains).toHaveLength(1);
      expect(asked().every((path) => /^(GET|POST|DELETE) \/domains\/?/.test(path))).toBe(true);
    },
  );
});

describe('sendMail of resend', () => {
  const outgoing = {
    ...{ messageId: 'call-1@example.com', to: 'owner@example.com', subject: 'A call', text: 'Hi.', html: '<p>Hi.</p>' },
    from: { name: 'The "Harbour"', address: 'calls@example.com' },
  };

  it('sends text and HTML, with the message id as the idempotency key', async () => {
    const sender = mail();
    await sender.sendMail(outgoing);
    await sender.sendMail(outgoing);
    await sender.sendMail({ ...outgoing, messageId: 'call-2@example.com', from: { name: null, address: 'a@b.test' } });
    expect(server.mails).toMatchObject([
      {
        ...{ from: '"The \\"Harbour\\"" <calls@example.com>', to: 'owner@example.com', subject: 'A call' },
        ...{ text: 'Hi.', html: '<p>Hi.</p>', headers: { 'Message-ID': '<call-1@example.com>' } },
      },
      { from: 'a@b.test' },
    ]);
  });

  it('fails with invalid_request when the service rejects the mail', async () => {
    server.failNext({ status: 422, name: 'validation_error' });
    await expect(mail().sendMail(outgoing)).rejects.toMatchObject({ fault: 'invalid_request', retryable: false });
  });
});

describe('faults of resend', () => {
  it.each<[ResendFault, object]>([
    [
      { status: 401, name: 'missing_api_key' },
      { fault: 'auth', status: 401, retryable: false },
    ],
    [
      { status: 403, name: 'invalid_api_key' },
      { fault: 'auth', status: 403, retryable: false },
    ],
    [
      { status: 429, name: 'daily_quota_exceeded' },
      { fault: 'quota', status: 429, retryable: false },
    ],
    [
      { status: 429, name: 'monthly_quota_exceeded' },
      { fault: 'quota', retryable: false },
    ],
    [
      { status: 403, name: 'validation_error' },
      { fault: 'invalid_request', status: 403, retryable: false },
    ],
    [
      { status: 405, name: 'method_not_allowed' },
      { fault: 'invalid_request', status: 405, retryable: false },
    ],
    [
      { status: 500, name: 'internal_server_error' },
      { fault: 'unavailable', status: 500, retryable: true },
    ],
    [{ status: 502 }, { fault: 'unavailable', status: 502, retryable: true }],
    [{ status: 504 }, { fault: 'timeout', status: 504, retryable: true }],
    ['break', { fault: 'connection', retryable: true }],
    ['garbage', { fault: 'connection' }],
    ['other-shape', { fault: 'protocol', retryable: false }],
  ])('classifies %j', async (fault, expected) => {
    const { id } = server.create('example.com');
    server.failNext(fault);
    const error = await failure(mail().getDomain(id));
    expect(error).toMatchObject({ provider: 'resend', ...expected });
    expect(error.message).not.toContain('re_test');
  });

  it('fails with auth when the key may only send', async () => {
    expect(await failure(mail({ apiKey: 're_sending' }).listDomains())).toMatchObject({
      fault: 'auth',
      message: expect.stringContaining('restricted'),
    });
  });

  it('waits for Retry-After when the rate limit is reached, and repeats the request', async () => {
    const { id } = server.create('example.com');
    const limit = { status: 429, name: 'rate_limit_exceeded', retryAfterSeconds: 0 } as const;
    server.failNext(limit, limit);
    expect(await mail().getDomain(id)).toMatchObject({ name: 'example.com' });
    expect(asked()).toHaveLength(3);
  });

  it('fails when the rate limit persists', async () => {
    const limit = { status: 429, name: 'rate_limit_exceeded', retryAfterSeconds: 0 } as const;
    server.failNext(limit, limit, limit, limit, limit);
    expect(await failure(mail().listDomains())).toMatchObject({ fault: 'unavailable', status: 429, retryable: true });
  });

  it('does not wait for the rate limit beyond the time limit', async () => {
    server.failNext({ status: 429, name: 'rate_limit_exceeded', retryAfterSeconds: 3_600 });
    expect(await failure(mail({ timeoutMs: 100 }).listDomains())).toMatchObject({ fault: 'timeout' });
  });

  it('times out when the service does not respond', async () => {
    server.failNext('hang');
    expect(await failure(mail({ timeoutMs: 100 }).listDomains())).toMatchObject({ fault: 'timeout', retryable: true });
  });

  it('does not repeat a request that the service may have processed', async () => {
    server.failNext({ status: 500, name: 'internal_server_error' });
    await failure(mail().addDomain('example.com'));
    expect(asked()).toEqual(['POST /domains']);
  });

  it('fails with connection when the port is closed', async () => {
    expect(await failure(mail({ baseUrl: 'http://127.0.0.1:9' }).listDomains())).toMatchObject({ fault: 'connection' });
  });

  it('fails without a key, and reads one that is set later', async () => {
    const { RESEND_API_KEY: saved } = process.env;
    delete process.env.RESEND_API_KEY;
    const keyless = resend({ baseUrl: server.url });
    expect(await failure(keyless.listDomains())).toMatchObject({
      fault: 'auth',
      message: expect.stringContaining('RESEND_API_KEY'),
    });
    process.env.RESEND_API_KEY = 're_test';
    expect(await keyless.listDomains()).toEqual([]);
    if (saved === undefined) delete process.env.RESEND_API_KEY;
    else process.env.RESEND_API_KEY = saved;
  });
});
