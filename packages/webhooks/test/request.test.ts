import { createServer, type Socket } from 'node:net';
import { type Clock, type HostLookup, systemClock, type WebhookOutcome } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { webhooks } from '../src/index.ts';
import { answerJson, type CustomerServer, startCustomerServer } from './support/customer-server.ts';
import { startDispatcher, testHost, until, webhook } from './support/dispatcher.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function customer(...args: Parameters<typeof startCustomerServer>): Promise<CustomerServer> {
  const server = await startCustomerServer(...args);
  closing.push(() => server.close());
  return server;
}

interface AskOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

async function ask(url: string, options: AskOptions = {}): Promise<WebhookOutcome> {
  const { timeoutMs = 2_000, signal = new AbortController().signal, clock = systemClock } = options;
  const { dispatcher } = startDispatcher(clock);
  closing.push(() => dispatcher.close({ drainMs: 0 }));
  return await dispatcher.request(webhook(url, 'tool-calls', { toolCallList: [] }), { timeoutMs, signal });
}

describe('request to a receiver', () => {
  it('sends the message and returns the JSON of the response', async () => {
    const server = await customer((response) => answerJson(response, { result: 'sunny' }, 201));
    const outcome = await ask(`${server.url}?a=1`);
    expect(outcome).toMatchObject({ ok: true, status: 201, body: { result: 'sunny' } });
    expect(outcome.latencyMs).toBeGreaterThan(0);
    const [received] = server.received;
    expect(received?.path).toBe('/hook?a=1');
    expect(received?.headers['content-type']).toBe('application/json');
    const { message } = JSON.parse(received?.body ?? '');
    expect(Object.keys(message)).toEqual(['type', 'timestamp', 'toolCallList']);
    expect(message.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('sends the traceparent of its span only', async () => {
    const server = await customer((response) => answerJson(response, {}));
    const { dispatcher } = startDispatcher(systemClock);
    closing.push(() => dispatcher.close({ drainMs: 0 }));
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const options = { timeoutMs: 2_000, signal: new AbortController().signal };
    await dispatcher.request({ ...webhook(server.url, 'tool-calls'), traceparent }, options);
    await dispatcher.request(webhook(server.url, 'tool-calls'), options);
    expect(server.received.map(({ headers }) => headers.traceparent)).toEqual([traceparent, undefined]);
  });

  it('counts requests in flight', async () => {
    const { dispatcher } = startDispatcher(systemClock);
    closing.push(() => dispatcher.close({ drainMs: 0 }));
    const inFlight: (number | undefined)[] = [dispatcher.inFlight];
    const server = await customer((response) => {
      inFlight.push(dispatcher.inFlight);
      answerJson(response, {});
    });
    const options = { timeoutMs: 2_000, signal: new AbortController().signal };
    await dispatcher.request(webhook(server.url, 'tool-calls'), options);
    inFlight.push(dispatcher.inFlight);
    expect(inFlight).toEqual([0, 1, 0]);
  });

  it('resolves after the attempt is logged when `untilLogged` is set', async () => {
    const server = await customer((response) => answerJson(response, {}));
    const logged: string[] = [];
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { dispatcher } = startDispatcher(systemClock, {
      settle: async ({ attempts }) => {
        await gate;
        logged.push(...attempts.map(({ event }) => event));
      },
    });
    closing.push(() => dispatcher.close({ drainMs: 0 }));
    const options = { timeoutMs: 2_000, signal: new AbortController().signal };
    await dispatcher.request(webhook(server.url, 'tool-calls'), options);
    const testing = dispatcher.request(webhook(server.url, 'test'), { ...options, untilLogged: true });
    await until(() => server.received.length === 2);
    expect(logged).toEqual([]);
    open();
    await testing;
    expect(logged).toEqual(['tool-calls', 'test']);
  });

  it('resolves when the log cannot be written', async () => {
    const server = await customer((response) => answerJson(response, {}));
    const { dispatcher } = startDispatcher(systemClock, { settle: () => Promise.reject(new Error('no database')) });
    closing.push(() => dispatcher.close({ drainMs: 0 }));
    const options = { timeoutMs: 2_000, signal: new AbortController().signal, untilLogged: true };
    expect(await dispatcher.request(webhook(server.url, 'test'), options)).toMatchObject({ ok: true, status: 200 });
  });

  it('returns an empty object when the body is empty', async () => {
    const server = await customer((response) => response.writeHead(204).end());
    expect(await ask(server.url)).toMatchObject({ ok: true, status: 204, body: {} });
  });

  it.each([
    ['garbage', '<html>oops'],
    ['cut-off JSON', '{"result": '],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
  ])('reports an invalid response when the body is %s', async (_name, body) => {
    const server = await customer((response) => response.writeHead(200).end(body));
    expect(await ask(server.url)).toMatchObject({ ok: false, reason: 'invalid_answer', status: 200 });
  });

  it('stops reading when the body exceeds 1 MiB', async () => {
    const server = await customer((response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(262_144, 0x20)), 1);
      response.on('close', () => clearInterval(timer));
    });
    expect(await ask(server.url)).toMatchObject({ ok: false, reason: 'invalid_answer', status: 200 });
  });

  it.each([500, 404, 410])('reports the status %i', async (status) => {
    const server = await customer((response) => answerJson(response, { result: 1 }, status));
    expect(await ask(server.url)).toMatchObject({ ok: false, reason: 'status', status });
  });

  it('does not follow a redirect', async () => {
    const server = await customer((response) => response.writeHead(307, { location: '/elsewhere' }).end());
    expect(await ask(server.url)).toMatchObject({ ok: false, reason: 'status', status: 307 });
    expect(server.received).toHaveLength(1);
  });

  it('times out without a retry when the server does not respond', async () => {
    const server = await customer(() => {});
    const clock = new VirtualClock();
    const asked = ask(server.url, { timeoutMs: 2_000, clock });
    await until(() => server.received.length === 1);
    await clock.advance(2_000);
    expect(await asked).toMatchObject({ ok: false, reason: 'timeout', status: null });
    expect(server.received).toHaveLength(1);
  });

  it('times out when the body does not end', async () => {
    const server = await customer((response) => response.writeHead(200).write('{"a":'));
    expect(await ask(server.url, { timeoutMs: 60 })).toMatchObject({ ok: false, reason: 'timeout' });
  });

  it('reports a network error when the connection is reset before or during the response', async () => {
    const before = await customer((response) => response.socket?.destroy());
    expect(await ask(before.url)).toMatchObject({ ok: false, reason: 'network' });
    const within = await customer((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => response.socket?.destroy(), 10);
    });
    expect(await ask(within.url)).toMatchObject({ ok: false, reason: 'network' });
    expect([before.received.length, within.received.length]).toEqual([1, 1]);
  });

  it('reports a network error when the response is not HTTP', async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).write('220 mail.example ESMTP\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect(await ask(`http://127.0.0.1:${port}/`)).toMatchObject({ ok: false, reason: 'network' });
  });

  it('reports a network error when the port is closed', async () => {
    expect(await ask('http://127.0.0.1:1/')).toMatchObject({ ok: false, reason: 'network', status: null });
  });

  it('reports the reason of each address when a name has several', async () => {
    const lookup: HostLookup = (_name, _options, callback) =>
      callback(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.2', family: 4 },
      ]);
    const dispatcher = webhooks({ allowPrivateTargets: true, lookup });
    dispatcher.start(testHost(systemClock));
    closing.push(() => dispatcher.close({ drainMs: 0 }));
    const signal = new AbortController().signal;
    const request = webhook('http://receiver.test:1/', 'tool-calls', { toolCallList: [] });
    expect(await dispatcher.request(request, { timeoutMs: 2_000, signal })).toMatchObject({
      ok: false,
      reason: 'network',
      message: expect.stringMatching(/ECONNREFUSED 127\.0\.0\.1:1.*ECONNREFUSED 127\.0\.0\.2:1/),
    });
  });

  it.each(['ftp://example.com/', 'not a url', '', 'http://'])('refuses %j as a target', async (url) => {
    expect(await ask(url)).toMatchObject({ ok: false, reason: 'refused' });
  });

  it('is aborted when the call ends', async () => {
    const server = await customer(() => {});
    const aborter = new AbortController();
    const options = { timeoutMs: 5_000, signal: aborter.signal };
    const asked = ask(server.url, options);
    await until(() => server.received.length === 1);
    aborter.abort();
    expect(await asked).toMatchObject({ ok: false, reason: 'aborted' });
    expect(await ask(server.url, options)).toMatchObject({ ok: false, reason: 'aborted' });
    expect(server.received).toHaveLength(1);
  });
});
