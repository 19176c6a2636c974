import { systemClock } from '@va/core/adapter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyWebhook, verifyWebhookDelivery, WebhookVerificationError, webhookBearerToken } from '../src/verify.ts';
import {
  answerJson,
  type CustomerServer,
  type ReceivedWebhook,
  startCustomerServer,
} from './support/customer-server.ts';
import { secret, startDispatcher, storeAndDeliver, webhook } from './support/dispatcher.ts';

let server: CustomerServer;
let received: ReceivedWebhook;

beforeAll(async () => {
  server = await startCustomerServer((response) => answerJson(response, {}));
  const started = startDispatcher(systemClock);
  const { dispatcher } = started;
  await storeAndDeliver(
    started,
    webhook(server.url, 'status-update', { status: 'ended', customer: { name: 'Zoë 👋' } }),
  );
  await dispatcher.close({ drainMs: 5_000 });
  const [first] = server.received;
  if (first === undefined) throw new Error('The webhook did not arrive.');
  received = first;
});

afterAll(async () => {
  await server.close();
});

const standardNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const plainNames = ['x-webhook-event', 'x-webhook-timestamp', 'x-webhook-signature'];

function only(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(received.headers[name])]));
}

function failure(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.code : error;
  }
  return 'accepted';
}

describe('verifyWebhook', () => {
  it.each([
    ['request headers of node', () => received.headers],
    ['a Headers object', () => new Headers(only([...standardNames, ...plainNames]))],
    [
      'names in any case',
      () => ({
        'Webhook-Id': received.headers['webhook-id'],
        'WEBHOOK-TIMESTAMP': received.headers['webhook-timestamp'],
        'Webhook-Signature': received.headers['webhook-signature'],
      }),
    ],
    ['Standard Webhooks alone', () => only(standardNames)],
    ['the X-Webhook headers alone', () => only(plainNames)],
    [
      'several signatures',
      () => ({ ...only(standardNames), 'webhook-signature': `v1,bm8= v2,x ${received.headers['webhook-signature']}` }),
    ],
  ])('accepts %s and returns the message', (_name, headers) => {
    const message = verifyWebhook({ headers: headers(), body: received.body, secret });
    expect(message).toMatchObject({ type: 'status-update', status: 'ended', customer: { name: 'Zoë 👋' } });
  });

  it('accepts bytes, and any of several secrets', () => {
    const body = new TextEncoder().encode(received.body);
    expect(verifyWebhook({ headers: received.headers, body, secret: [otherSecret, secret] }).type).toBe(
      'status-update',
    );
  });

  it('gets headers with the event, and with a token that differs from the secret', () => {
    expect(received.headers['x-webhook-event']).toBe('status-update');
    expect(received.headers.authorization).toBe(`Bearer ${webhookBearerToken(secret)}`);
    expect(received.headers.authorization).not.toContain(secret.slice(6));
  });

  it.each([
    ['a changed body', { body: '{"message":{"type":"x","timestamp":"y"}}' }, 'invalid_signature'],
    ['another secret', { secret: otherSecret }, 'invalid_signature'],
    ['an empty secret', { secret: '' }, 'weak_webhook_secret'],
    ['an empty secret beside the right one', { secret: [secret, ''] }, 'weak_webhook_secret'],
    ['a prefix without a key', { secret: 'whsec_' }, 'weak_webhook_secret'],
    ['a key of 15 bytes', { secret: `whsec_${Buffer.alloc(15, 1).toString('base64')}` }, 'weak_webhook_secret'],
    ['an unset secret', { secret: undefined }, 'weak_webhook_secret'],
    ['no secret at all', { secret: [] }, 'invalid_signature'],
    ['a request without signatures', { headers: {} }, 'missing_headers'],
    [
      'a signature without its time',
      { headers: { 'webhook-id': 'a', 'webhook-signature': 'v1,x' } },
      'missing_headers',
    ],
  ])('refuses %s', (_name, changes, code) => {
    const given = { headers: received.headers, body: received.body, secret, ...changes };
    expect(failure(() => verifyWebhook(given))).toBe(code);
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('refuses a changed %s', (name) => {
    const headers = { ...only(standardNames), [name]: '1' };
    expect(failure(() => verifyWebhook({ headers, body: received.body, secret }))).toBe('invalid_signature');
  });

  // Security: the X-Webhook signature does not cover the id, so that a captured request passed again under another one.
  it('refuses a changed webhook-id beside a valid X-Webhook signature, and returns the verified id', () => {
    const headers = only([...standardNames, ...plainNames]);
    const given = { body: received.body, secret };
    expect(failure(() => verifyWebhook({ ...given, headers: { ...headers, 'webhook-id': 'msg_2' } }))).toBe(
      'invalid_signature',
    );
    expect(verifyWebhookDelivery({ ...given, headers }).id).toBe(received.headers['webhook-id']);
    expect(verifyWebhookDelivery({ ...given, headers: only(plainNames) }).id).toBeNull();
  });

  it('gets no signature when the sender has no secret', async () => {
    const before = server.received.length;
    const started = startDispatcher(systemClock);
    const { dispatcher } = started;
    await storeAndDeliver(started, {
      ...webhook(server.url, 'status-update'),
      target: { url: server.url, secret: '' },
    });
    await dispatcher.close({ drainMs: 5_000 });
    const { headers } = server.received[before] ?? received;
    for (const name of ['webhook-signature', 'x-webhook-signature', 'authorization']) {
      expect(headers[name]).toBeUndefined();
    }
    expect(headers['webhook-id']).toBeDefined();
  });

  it('refuses a timestamp more than five minutes in the past or future', () => {
    const signedMs = Number(received.headers['webhook-timestamp']) * 1_000;
    const at = (now: number): unknown =>
      failure(() => verifyWebhook({ headers: received.headers, body: received.body, secret, now }));
    expect(at(signedMs + 300_000)).toBe('accepted');
    expect(at(signedMs + 300_001)).toBe('timestamp_out_of_tolerance');
    expect(at(signedMs - 300_001)).toBe('timestamp_out_of_tolerance');
  });
});
