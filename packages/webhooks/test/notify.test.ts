import { systemClock } from '@va/core';
import { VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, type CustomerServer, startCustomerServer } from './support/customer-server.ts';
import { startDispatcher, until, webhook } from './support/dispatcher.ts';

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

describe('telling the customer’s server', () => {
  it('delivers once, whatever the body of the answer, and then has nothing in hand', async () => {
    server = await startCustomerServer((response) => response.writeHead(200).end('<html>'));
    const { dispatcher, attempts } = startDispatcher(systemClock);
    dispatcher.notify(webhook(server.url, 'status-update', { status: 'in-progress' }));
    await dispatcher.settled('call-1');
    expect(types()).toEqual(['in-progress']);
    expect(attempts).toMatchObject([{ attempt: 1, event: 'status-update', outcome: { ok: true, status: 200 } }]);
    expect(attempts[0]?.body).toBe(server.received[0]?.body);
    expect(attempts[0]?.headers).not.toHaveProperty('authorization');
    await dispatcher.close({ drainMs: 0 });
  });

  it('repeats a status-update after 5 s, 30 s and 2 min under the same id and a new signature, then gives up', async () => {
    server = await startCustomerServer((response) => answerJson(response, {}, 503));
    const clock = new VirtualClock();
    const { dispatcher, attempts } = startDispatcher(clock);
    dispatcher.notify(webhook(server.url, 'status-update'));
    for (const [n, delayMs] of [5_000, 30_000, 120_000].entries()) {
      await until(() => attempts.length === n + 1 && clock.pending === 1);
      await clock.advance(delayMs - 1);
      expect(attempts).toHaveLength(n + 1);
      await clock.advance(1);
    }
    await dispatcher.settled();
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(new Set(server.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(server.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(server.received.map(({ headers }) => headers['webhook-signature'])).size).toBe(4);
    expect(clock.pending).toBe(0);
    await dispatcher.close({ drainMs: 0 });
  });

  it('waits as long as Retry-After asks', async () => {
    server = await startCustomerServer((response, _webhook, n) => {
      if (n === 0) response.writeHead(429, { 'retry-after': '60' }).end();
      else answerJson(response, {});
    });
    const clock = new VirtualClock();
    const { dispatcher, attempts } = startDispatcher(clock);
    dispatcher.notify(webhook(server.url, 'end-of-call-report'));
    await until(() => attempts.length === 1 && clock.pending === 1);
    await clock.advance(59_999);
    expect(attempts).toHaveLength(1);
    await clock.advance(1);
    await dispatcher.settled();
    expect(attempts.map(({ outcome }) => outcome.status)).toEqual([429, 200]);
    await dispatcher.close({ drainMs: 0 });
  });

  it('stops at once when the customer answers 410', async () => {
    server = await startCustomerServer((response) => response.writeHead(410).end());
    const { dispatcher, attempts } = startDispatcher(new VirtualClock());
    dispatcher.notify(webhook(server.url, 'end-of-call-report'));
    await dispatcher.settled();
    expect(attempts).toHaveLength(1);
    await dispatcher.close({ drainMs: 0 });
  });

  it('keeps the order of a call while an earlier message is repeated, and holds up no other call', async () => {
    server = await startCustomerServer((response, { body }, n) => {
      if (n === 0) return answerJson(response, {}, 500);
      setTimeout(() => answerJson(response, {}), body.includes('ended') ? 0 : 20);
    });
    const clock = new VirtualClock();
    const { dispatcher, attempts } = startDispatcher(clock);
    dispatcher.notify(webhook(server.url, 'status-update', { status: 'in-progress' }));
    await until(() => attempts.length === 1);
    dispatcher.notify(webhook(server.url, 'status-update', { status: 'ended' }));
    dispatcher.notify(webhook(server.url, 'end-of-call-report'));
    dispatcher.notify(webhook(server.url, 'status-update', { status: 'other call' }, 'call-2'));
    await dispatcher.settled('call-2');
    expect(types()).toEqual(['in-progress', 'other call']);
    await clock.advance(5_000);
    await dispatcher.settled();
    expect(types()).toEqual(['in-progress', 'other call', 'in-progress', 'ended', 'end-of-call-report']);
    await dispatcher.close({ drainMs: 0 });
  });

  it('asks after what was told before, but not after its repetitions', async () => {
    server = await startCustomerServer((response, _webhook, n) => {
      setTimeout(() => answerJson(response, {}, n === 0 ? 500 : 200), n === 0 ? 40 : 0);
    });
    const { dispatcher } = startDispatcher(new VirtualClock());
    dispatcher.notify(webhook(server.url, 'status-update', { status: 'in-progress' }));
    const options = { timeoutMs: 1_000, signal: new AbortController().signal };
    const outcome = await dispatcher.request(webhook(server.url, 'tool-calls'), options);
    expect(outcome.ok).toBe(true);
    expect(types()).toEqual(['in-progress', 'tool-calls']);
    await dispatcher.close({ drainMs: 0 });
  });

  it('asks after what is told for the first time behind a repetition', async () => {
    const events: string[] = [];
    server = await startCustomerServer((response, { body }, n) => {
      const { message } = JSON.parse(body);
      events.push(`${message.status ?? message.type} came`);
      setTimeout(() => {
        events.push(`${message.status ?? message.type} answered`);
        answerJson(response, {}, n === 0 ? 500 : 200);
      }, 30);
    });
    const clock = new VirtualClock();
    const { dispatcher, attempts } = startDispatcher(clock);
    dispatcher.notify(webhook(server.url, 'status-update', { status: 'first' }));
    dispatcher.notify(webhook(server.url, 'status-update', { status: 'second' }));
    await until(() => attempts.length === 1 && clock.pending === 1);
    await clock.advance(5_000);
    await until(() => events.includes('second came'));
    await dispatcher.request(webhook(server.url, 'tool-calls'), {
      timeoutMs: 1_000,
      signal: new AbortController().signal,
    });
    expect(events.indexOf('tool-calls came')).toBeGreaterThan(events.indexOf('second answered'));
    await dispatcher.close({ drainMs: 0 });
  });

  it('asks after 5 s all the same when what was told before hangs', async () => {
    server = await startCustomerServer((response, { body }) => {
      if (body.includes('tool-calls')) answerJson(response, { result: 1 });
    });
    const clock = new VirtualClock();
    const { dispatcher } = startDispatcher(clock);
    dispatcher.notify(webhook(server.url, 'status-update', { status: 'in-progress' }));
    const options = { timeoutMs: 10_000, signal: new AbortController().signal };
    const asked = dispatcher.request(webhook(server.url, 'tool-calls'), options);
    await until(() => server.received.length === 1);
    await clock.advance(5_000);
    expect(await asked).toMatchObject({ ok: true, body: { result: 1 } });
    const closed = dispatcher.close({ drainMs: 0 });
    await clock.advance(0);
    await closed;
    expect(clock.pending).toBe(0);
  });
});

describe('closing', () => {
  it('tries once more, now, what waits to be repeated', async () => {
    server = await startCustomerServer((response, _webhook, n) => answerJson(response, {}, n === 0 ? 500 : 200));
    const { dispatcher, attempts } = startDispatcher(systemClock);
    dispatcher.notify(webhook(server.url, 'end-of-call-report'));
    await until(() => attempts.length === 1);
    await dispatcher.close({ drainMs: 5_000 });
    expect(attempts.map(({ outcome }) => outcome.ok)).toEqual([false, true]);
  });

  it('waits no longer than it may, and leaves no connection and no timer', async () => {
    server = await startCustomerServer(() => {});
    const clock = new VirtualClock();
    const { dispatcher, attempts } = startDispatcher(clock);
    dispatcher.notify(webhook(server.url, 'status-update'));
    dispatcher.notify(webhook(server.url, 'end-of-call-report'));
    const options = { timeoutMs: 60_000, signal: new AbortController().signal };
    const asked = dispatcher.request(webhook(server.url, 'tool-calls', {}, 'call-2'), options);
    await until(() => server.received.length === 2);
    const closed = dispatcher.close({ drainMs: 1_000 });
    await clock.advance(1_000);
    await closed;
    expect(await asked).toMatchObject({ ok: false, reason: 'aborted' });
    expect(attempts.every(({ outcome }) => !outcome.ok && outcome.reason === 'aborted')).toBe(true);
    expect(clock.pending).toBe(0);
    await dispatcher.close({ drainMs: 0 });
  });

  it('drops what comes afterwards', async () => {
    server = await startCustomerServer((response) => answerJson(response, {}));
    const { dispatcher } = startDispatcher(systemClock);
    await dispatcher.close({ drainMs: 0 });
    dispatcher.notify(webhook(server.url, 'status-update'));
    const options = { timeoutMs: 1_000, signal: new AbortController().signal };
    expect(await dispatcher.request(webhook(server.url, 'tool-calls'), options)).toMatchObject({ reason: 'aborted' });
    await dispatcher.settled();
    expect(server.received).toEqual([]);
  });
});
