import type { WebhookEventMessage } from '@va/core';
import { equalTexts, keyOf, plainSignature, standardSignature } from './signature.ts';

export type { WebhookEventMessage } from '@va/core';
export { webhookBearerToken } from './signature.ts';

/** Reason of a {@link WebhookVerificationError}. */
export type WebhookVerificationCode =
  | 'missing_headers'
  | 'invalid_timestamp'
  | 'timestamp_out_of_tolerance'
  | 'invalid_signature'
  | 'weak_webhook_secret'
  | 'invalid_body';

/**
 * Error of a request that is not a webhook of this service, is too old or was modified, or of a secret that is too
 * short. Respond with 401.
 */
export class WebhookVerificationError extends Error {
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}

/** Request headers: those of Node.js, or a `Headers` object. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | string[] | undefined>>;

/** Options of {@link verifyWebhook}. */
export interface VerifyWebhookOptions {
  readonly headers: WebhookHeaders;
  /** The raw body, before any JSON parser. */
  readonly body: string | Uint8Array;
  /**
   * The agent's `webhook_secret`; several during a rotation. Undefined, as from an unset environment variable, is
   * refused.
   */
  readonly secret: string | readonly string[] | undefined;
  /** Maximum difference between the signed time and now, in either direction; 300 by default. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since the Unix epoch; the machine's time by default. */
  readonly now?: number;
}

/**
 * Verifies that a request is a webhook of this service, and returns its message, whose `type` identifies the event. The
 * fields are not checked; `@va/webhooks/messages` has their schemas. Later versions of the service may send other
 * types.
 *
 * Every webhook is signed twice, by Standard Webhooks and in the `X-Webhook` headers. The signature of Standard
 * Webhooks has to be valid if present; without it, that of the `X-Webhook` headers suffices. A secret of fewer than 16
 * bytes is refused.
 * @throws WebhookVerificationError
 * @example const message = verifyWebhook({ headers: req.headers, body: rawBody, secret: process.env.WEBHOOK_SECRET });
 */
export function verifyWebhook(options: VerifyWebhookOptions): WebhookEventMessage {
  return verifyWebhookDelivery(options).message;
}

/** A verified webhook. */
export interface VerifiedWebhook {
  /** `webhook-id`, the same for all attempts; null if only the X-Webhook headers are present, which do not sign it. */
  readonly id: string | null;
  readonly message: WebhookEventMessage;
}

/**
 * Like `verifyWebhook`, and also returns the verified id, by which a receiver detects repeated deliveries.
 *
 * @example const { id, message } = verifyWebhookDelivery({ headers, body, secret });
 */
export function verifyWebhookDelivery(options: VerifyWebhookOptions): VerifiedWebhook {
  const { headers, body, secret, toleranceSeconds = 300 } = options;
  // This entry runs on the customer's server, so it has no injected clock.
  const now = options.now ?? Date.now();
  const secrets = Array.isArray(secret) ? secret : [secret];
  for (const each of secrets) checkStrength(each);
  const check = checkStandard(headers, body, secrets) ?? checkPlain(headers, body, secrets);
  if (check === null) {
    throw missing('webhook-signature and no X-Webhook-Signature');
  }
  if (!check.matches) {
    throw new WebhookVerificationError('invalid_signature', 'No signature matches the body and the secret.');
  }
  checkTime(check.timestamp, now, toleranceSeconds);
  return { id: check.id, message: parseMessage(body) };
}

const minKeyBytes = 16;

interface SignatureCheck {
  readonly id: string | null;
  readonly timestamp: string;
  readonly matches: boolean;
}

function checkStandard(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secrets: readonly string[],
): SignatureCheck | null {
  const [id, timestamp] = [header(headers, 'webhook-id'), header(headers, 'webhook-timestamp')];
  const signatures = header(headers, 'webhook-signature');
  if (signatures === null) return null;
  if (id === null || timestamp === null)
    throw missing('webhook-id and webhook-timestamp, which webhook-signature covers');
  const given = signatures.split(' ');
  const expected = secrets.map((secret) => standardSignature(secret, id, timestamp, body));
  return { id, timestamp, matches: expected.some((one) => given.some((other) => equalTexts(one, other))) };
}

function checkPlain(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secrets: readonly string[],
): SignatureCheck | null {
  const [timestamp, given] = [header(headers, 'x-webhook-timestamp'), header(headers, 'x-webhook-signature')];
  if (timestamp === null || given === null) return null;
  const id = null;
  return {
    id,
    timestamp,
    matches: secrets.some((secret) => equalTexts(plainSignature(secret, timestamp, body), given)),
  };
}

function missing(headers: string): WebhookVerificationError {
  return new WebhookVerificationError('missing_headers', `The request has no ${headers}.`);
}

/** Refuses weak secrets: anybody can sign with an empty key, such as that of an unset environment variable. */
function checkStrength(secret: string): void {
  if (typeof secret === 'string' && keyOf(secret).length >= minKeyBytes) return;
  const message = `The webhook secret has fewer than ${minKeyBytes} bytes. Pass the agent's webhook_secret.`;
  throw new WebhookVerificationError('weak_webhook_secret', message);
}

function checkTime(timestamp: string, nowMs: number, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('invalid_timestamp', 'The timestamp is not a number of seconds.');
  }
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      `The webhook was signed at ${timestamp}, more than ${toleranceSeconds} s from now.`,
    );
  }
}

function parseMessage(body: string | Uint8Array): WebhookEventMessage {
  try {
    const { message } = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
    if (typeof message?.type === 'string' && typeof message.timestamp === 'string') return message;
  } catch {
    // Refused below, like other bodies that are not webhooks.
  }
  throw new WebhookVerificationError(
    'invalid_body',
    'The body is not a webhook: it must be a JSON object with a message that has a type and a timestamp.',
  );
}

function header(headers: WebhookHeaders, name: string): string | null {
  if (isHeaders(headers)) return headers.get(name);
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? (value[0] ?? null) : (value ?? null);
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}
