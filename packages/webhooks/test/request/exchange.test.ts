import { getEventListeners } from 'node:events';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { WebhookExchange } from '../../src/request/exchange.ts';
import { linkSignals } from '../../src/request/linked-signal.ts';
import { ParsedUrls } from '../../src/request/parsed-urls.ts';
import { signedHeaders } from '../../src/request/signed-headers.ts';

function setUp(readsBody = true) {
  const aborts: string[] = [];
  const controller = { abort: (reason: Error) => void aborts.push(reason.message) } as never;
  const exchange = new WebhookExchange({ maxResponseBytes: 10, readsBody });
  exchange.response.catch(() => {});
  return { exchange, controller, aborts };
}

const bytes = (text: string) => Buffer.from(text);

describe('WebhookExchange', () => {
  it('resolves with the whole body', async () => {
    const { exchange, controller } = setUp();
    exchange.onResponseStart(controller, 100, {});
    exchange.onResponseStart(controller, 200, { a: 'b' });
    exchange.onResponseData(controller, bytes('{"a"'));
    exchange.onResponseData(controller, bytes(':1}'));
    exchange.onResponseEnd();
    expect(await exchange.response).toEqual({
      status: 200,
      headers: { a: 'b' },
      body: bytes('{"a":1}'),
      isTooLong: false,
    });
  });

  it('rejects when the response has no status', async () => {
    const { exchange } = setUp();
    exchange.onResponseEnd();
    await expect(exchange.response).rejects.toThrow('no status');
  });

  it.each([
    ['rejects when a body that is read is cut off', true, 200, null],
    ['resolves with the status when the body is not read', false, 200, { status: 200 }],
    ['resolves with the status of a failure whose body is cut off', true, 500, { status: 500, body: new Uint8Array() }],
  ])('%s', async (_, readsBody, status, expected) => {
    const { exchange, controller } = setUp(readsBody);
    exchange.onResponseStart(controller, status, {});
    exchange.onResponseData(controller, bytes('{'));
    exchange.onResponseError(controller, new Error('reset'));
    if (expected === null) await expect(exchange.response).rejects.toThrow('reset');
    else expect(await exchange.response).toMatchObject(expected);
  });

  it('aborts a body that is too long, and keeps the status', async () => {
    const { exchange, controller, aborts } = setUp();
    exchange.onResponseStart(controller, 200, {});
    exchange.onResponseData(controller, bytes('x'.repeat(11)));
    expect(aborts).toHaveLength(1);
    exchange.onResponseError(controller, new Error('aborted'));
    expect(await exchange.response).toMatchObject({ status: 200, isTooLong: true });
  });

  it('aborts a request that was ended before it had a connection', async () => {
    const { exchange, controller, aborts } = setUp();
    exchange.end(new Error('timed out'));
    exchange.onRequestStart(controller);
    expect(aborts).toEqual(['timed out']);
    await expect(exchange.response).rejects.toThrow('timed out');
  });

  it('keeps a received status when it is ended while an ignored body arrives', async () => {
    const { exchange, controller, aborts } = setUp(false);
    exchange.onRequestStart(controller);
    exchange.onResponseStart(controller, 204, {});
    exchange.end(new Error('timed out'));
    expect(aborts).toEqual(['timed out']);
    expect(await exchange.response).toMatchObject({ status: 204 });
  });
});

describe('linkSignals', () => {
  it.each([0, 1])('aborts with the signal %i, and keeps no listener after release', (which) => {
    const controllers = [new AbortController(), new AbortController()] as const;
    const { signal, release } = linkSignals(controllers[0].signal, controllers[1].signal);
    controllers[which === 0 ? 0 : 1].abort();
    expect(signal.aborted).toBe(true);
    release();
    for (const { signal: source } of controllers) expect(getEventListeners(source, 'abort')).toEqual([]);
  });

  it('is aborted when one of the signals already is', () => {
    const { signal } = linkSignals(AbortSignal.abort(), new AbortController().signal);
    expect(signal.aborted).toBe(true);
  });
});

describe('ParsedUrls', () => {
  it('parses a URL once, and returns null for an invalid one', () => {
    const urls = new ParsedUrls();
    expect(urls.of('https://a.test/hook')?.host).toBe('a.test');
    expect(urls.of('https://a.test/hook')).toBe(urls.of('https://a.test/hook'));
    expect(urls.of('not a url')).toBeNull();
    expect(urls.of('')).toBeNull();
  });

  it('keeps at most 1,000 URLs', () => {
    const urls = new ParsedUrls();
    const first = urls.of('https://a.test/first');
    for (let at = 0; at < 1_000; at++) urls.of(`https://a.test/${at}`);
    expect(urls.of('https://a.test/first')).not.toBe(first);
  });
});

describe('signedHeaders', () => {
  const webhook = { webhookId: 'id', event: 'status-update', body: '{}' } as const;
  const target = { url: 'https://a.test', secret: 'first-secret-of-agent' };
  const headers = (secrets: object, traceparent: string | null = null) =>
    signedHeaders(webhook, { ...target, ...secrets }, new VirtualClock(), traceparent);

  it('has one signature for each secret', () => {
    expect(headers({})['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(headers({ previousSecret: 'previous-secret' })['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(headers({ previousSecret: null })['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it('has no signature without a secret', () => {
    expect(Object.keys(headers({ secret: '' })).filter((name) => name.includes('signature'))).toEqual([]);
  });

  it('has a traceparent only with a span', () => {
    expect(headers({})).not.toHaveProperty('traceparent');
    expect(headers({}, '00-a-b-01')).toMatchObject({ traceparent: '00-a-b-01' });
  });
});
