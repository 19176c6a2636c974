import { InProcessJobs, systemClock, systemRandom, WebhookOutbox } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../src/verify.ts';
import { answerJson, type CustomerServer, startCustomerServer } from './support/customer-server.ts';
import { secret, startDispatcher, storeAndDeliver, until, webhook } from './support/dispatcher.ts';

let server: CustomerServer;

afterEach(async () => {
  await server.close();
});

function types(): string[] {
  return server.received.map(({ body }) => {
    const { message } = JSON.parse(body);
    return message.status ?? message.type;
  });
}

const asking = { timeoutMs: 1_000, signal: new AbortController().signal };

describe('delivery of notifications', () => {
  it('delivers once when the response is 2xx, and stores nothing afterwards', async () => {
    server = await startCustomerServer((response) => response.writeHead(200).end('<html>'));
    const { dispatcher, attempts, host } = startDispatcher(systemClock);
    const id = await storeAndDeliver(
      { dispatcher, host },
      webhook(server.url, 'status-update', { status: 'in-progress' }),
    );
    await dispatcher.settled('call-1');
    expect(types()).toEqual(['in-progress']);
    expect(attempts).toMatchObject([{ attempt: 1, isLast: true, event: 'status-update', outcome: { ok: true } }]);
    expect(attempts[0]?.body).toBe(server.received[0]?.body);
    expect(attempts[0]?.webhookId).toBe(`msg_${id}`);
    expect(attempts[0]?.headers).not.toHaveProperty('authorization');
    expect(await host.jobs.stored('webhooks', [id ?? ''])).toEqual(new Set());
    await dispatcher.close({ drainMs: 0 });
  });

  it('sends nothing before the commit', async () => {
    server = await startCustomerServer((response) => answerJson(response, {}));
    const { dispatcher, host } = startDispatcher(systemClock);
    const outbox = new WebhookOutbox({ ...host, webhooks: dispatcher, random: systemRandom });
    expect(outbox.prepare([webhook(server.url, 'status-update')]).jobs).toHaveLength(1);
    await dispatcher.settled();
    expect(server.received).toEqual([]);
    await dispatcher.close({ drainMs: 0 });
  });

  it('retries a status-update after 5 s, 30 s and 2 min with the same id and a new signature', async () => {
    server = await startCustomerServer((response) => answerJson(response, {}, 503));
    const clock = new VirtualClock();
    const { dispatcher, attempts, host } = startDispatcher(clock);
    await storeAndDeliver({ dispatcher, host }, webhook(server.url, 'status-update'));
    for (const [n, delayMs] of [5_000, 30_000, 120_000].entries()) {
      await until(() => attempts.length === n + 1);
      await dispatcher.settled();
      await clock.advance(delayMs - 1);
      expect(attempts).toHaveLength(n + 1);
      await clock.advance(1_000);
    }
    await until(() => attempts.length === 4);
    await dispatcher.settled();
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(attempts.map(({ isLast }) => isLast)).toEqual([false, false, false, true]);
    expect(new Set(server.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(server.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(server.received.map(({ headers }) => headers['webhook-signature'])).size).toBe(4);
    await dispatcher.close({ drainMs: 0 });
    expect(clock.pending).toBe(0);
  });

  it('waits for Retry-After', async () => {
    server = await startCustomerServer((response, _webhook, n) => {
      if (n === 0) response.writeHead(429, { 'retry-after': '60' }).end();
      else answerJson(response, {});
    });
    const clock = new VirtualClock();
    const { dispatcher, attempts, host } = startDispatcher(clock);
    await storeAndDeliver({ dispatcher, host }, webhook(server.url, 'end-of-call-report'));
    await dispatcher.settled();
    await clock.advance(59_999);
    expect(attempts).toHaveLength(1);
    await clock.advance(1_000);
    await until(() => attempts.length === 2);
    expect(attempts.map(({ outcome }) => outcome.status)).toEqual([429, 200]);
    await dispatcher.close({ drainMs: 0 });
  });

  it('gives up at once when the receiver responds with 410', async () => {
    server = await startCustomerServer((response) => response.writeHead(410).end());
    const { dispatcher, attempts, host } = startDispatcher(new VirtualClock());
    const id = await storeAndDeliver({ dispatcher, host }, webhook(server.url, 'end-of-call-report'));
    await dispatcher.settled();
    expect(attempts).toMatchObject([{ isLast: true }]);
    expect(await host.jobs.stored('webhooks', [id ?? ''])).toEqual(new Set());
    await dispatcher.close({ drainMs: 0 });
  });

  it('sends only redelivered webhooks to a disabled endpoint', async () => {
    server = await startCustomerServer((response) => answerJson(response, {}));
    const { dispatcher, attempts, host } = startDispatcher(systemClock, { disabled: async () => 'It is off.' });
    const message = webhook(server.url, 'end-of-call-report');
    await storeAndDeliver({ dispatcher, host }, message);
    await dispatcher.settled();
    expect(attempts).toMatchObject([
      { isLast: true, outcome: { ok: false, reason: 'refused', message: 'It is off.' } },
    ]);
    await storeAndDeliver({ dispatcher, host }, { ...message, sent: { webhookId: 'msg_1', body: '{}' } });
    await dispatcher.settled();
    expect(server.received.map(({ headers }) => headers['webhook-id'])).toEqual(['msg_1']);
    await dispatcher.close({ drainMs: 0 });
  });

  it('signs with both secrets during a rotation', async () => {
    server = await startCustomerServer((response) => answerJson(response, {}));
    const { dispatcher, host } = startDispatcher(systemClock);
    const next = 'a secret of 24 characters';
    const target = { url: server.url, secret: next, previousSecret: secret };
    await storeAndDeliver({ dispatcher, host }, { ...webhook(server.url, 'status-update'), target });
    await dispatcher.settled();
    const [received] = server.received;
    for (const one of [next, secret]) {
      expect(verifyWebhook({ headers: received?.headers ?? {}, body: received?.body ?? '', secret: one }).type).toBe(
        'status-update',
      );
    }
    await dispatcher.close({ drainMs: 0 });
  });
});

describe('order of the webhooks of a call', () => {
  it('is kept during retries, without delaying other calls', async () => {
    server = await startCustomerServer((response, { body }, n) => {
      if (n === 0) return answerJson(response, {}, 500);
      setTimeout(() => answerJson(response, {}), body.includes('ended') ? 0 : 20);
    });
    const clock = new VirtualClock();
    const started = startDispatcher(clock);
    const { dispatcher } = started;
    await storeAndDeliver(started, webhook(server.url, 'status-update', { status: 'in-progress' }));
    await dispatcher.settled();
    const ended = webhook(server.url, 'status-update', { status: 'ended' });
    await storeAndDeliver(started, ended, webhook(server.url, 'end-of-call-report'));
    await storeAndDeliver(started, webhook(server.url, 'status-update', { status: 'other call' }, 'call-2'));
    await dispatcher.settled();
    expect(types()).toEqual(['in-progress', 'other call']);
    await untilReceived(clock, 5);
    expect(types()).toEqual(['in-progress', 'other call', 'in-progress', 'ended', 'end-of-call-report']);
    await dispatcher.close({ drainMs: 0 });
  });

  it('is kept when another process takes over', async () => {
    let isDown = true;
    server = await startCustomerServer((response) => answerJson(response, {}, isDown ? 503 : 200));
    const clock = new VirtualClock();
    const jobs = new InProcessJobs(clock);
    const first = startDispatcher(clock, { jobs });
    const messages = ['in-progress', 'ended'].map((status) => webhook(server.url, 'status-update', { status }));
    await storeAndDeliver(first, ...messages, webhook(server.url, 'end-of-call-report'));
    await first.dispatcher.settled();
    await first.dispatcher.close({ drainMs: 0 });
    isDown = false;
    const second = startDispatcher(clock, { jobs });
    await untilReceived(clock, 4);
    expect(types()).toEqual(['in-progress', 'in-progress', 'ended', 'end-of-call-report']);
    expect(new Set(server.received.slice(0, 2).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await second.dispatcher.close({ drainMs: 0 });
  });

  it('delays a request until earlier webhooks were attempted once', async () => {
    server = await startCustomerServer((response, _webhook, n) => {
      setTimeout(() => answerJson(response, {}, n === 0 ? 500 : 200), n === 0 ? 40 : 0);
    });
    const started = startDispatcher(new VirtualClock());
    await storeAndDeliver(started, webhook(server.url, 'status-update', { status: 'in-progress' }));
    const outcome = await started.dispatcher.request(webhook(server.url, 'tool-calls'), asking);
    expect(outcome.ok).toBe(true);
    expect(types()).toEqual(['in-progress', 'tool-calls']);
    await started.dispatcher.close({ drainMs: 0 });
  });

  it('sends a request after 5 s when an earlier webhook hangs', async () => {
    server = await startCustomerServer((response, { body }) => {
      if (body.includes('tool-calls')) answerJson(response, { result: 1 });
    });
    const clock = new VirtualClock();
    const started = startDispatcher(clock);
    await storeAndDeliver(started, webhook(server.url, 'status-update', { status: 'in-progress' }));
    const asked = started.dispatcher.request(webhook(server.url, 'tool-calls'), { ...asking, timeoutMs: 10_000 });
    await until(() => server.received.length === 1);
    await clock.advance(5_000);
    expect(await asked).toMatchObject({ ok: true, body: { result: 1 } });
    const closed = started.dispatcher.close({ drainMs: 0 });
    await clock.advance(0);
    await closed;
    expect(clock.pending).toBe(0);
  });
});

describe('close', () => {
  it('leaves deferred and aborted webhooks to the next process', async () => {
    server = await startCustomerServer((response, { body }, n) => {
      if (n !== 0 || body.includes('failing')) answerJson(response, {}, n > 1 ? 200 : 500);
    });
    const clock = new VirtualClock();
    const jobs = new InProcessJobs(clock);
    const first = startDispatcher(clock, { jobs });
    await storeAndDeliver(first, webhook(server.url, 'status-update', { status: 'hanging' }));
    await until(() => server.received.length === 1);
    await storeAndDeliver(first, webhook(server.url, 'status-update', { status: 'failing' }, 'call-2'));
    await until(() => first.attempts.length === 1);
    const closed = first.dispatcher.close({ drainMs: 1_000 });
    await clock.advance(1_000);
    await closed;
    expect(first.attempts).toMatchObject([
      { outcome: { status: 500 } },
      { isLast: false, outcome: { reason: 'aborted' } },
    ]);
    const second = startDispatcher(clock, { jobs });
    await untilReceived(clock, 4);
    await until(() => second.attempts.length === 2);
    expect(second.attempts.map(({ attempt, outcome }) => [attempt, outcome.ok])).toEqual([
      [1, true],
      [2, true],
    ]);
    await second.dispatcher.close({ drainMs: 0 });
  });

  it('stores later webhooks for the next process, and sends no request', async () => {
    server = await startCustomerServer((response) => answerJson(response, {}));
    const clock = new VirtualClock();
    const jobs = new InProcessJobs(clock);
    const first = startDispatcher(clock, { jobs });
    await first.dispatcher.close({ drainMs: 0 });
    await storeAndDeliver(first, webhook(server.url, 'status-update'));
    expect(await first.dispatcher.request(webhook(server.url, 'tool-calls'), asking)).toMatchObject({
      reason: 'aborted',
    });
    expect(server.received).toEqual([]);
    const second = startDispatcher(clock, { jobs });
    await untilReceived(clock, 1);
    await second.dispatcher.close({ drainMs: 0 });
  });
});

/** Lets time pass on the clock while the sockets do their work. */
async function untilReceived(clock: VirtualClock, count: number): Promise<void> {
  for (let n = 0; n < 200 && server.received.length < count; n += 1) {
    await clock.advance(100);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(server.received.length).toBeGreaterThanOrEqual(count);
}
