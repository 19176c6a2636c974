import type { WebhookEventMessage } from '@va/core';
import { equalTexts, keyOf, plainSignature, standardSignature } from './signature.ts';

export type { WebhookEventMessage } from '@va/core';
export { webhookBearerToken } from './signature.ts';

export type WebhookVerificationCode =
  | 'missing_headers'
  | 'invalid_timestamp'
  | 'timestamp_out_of_tolerance'
  | 'invalid_signature'
  | 'weak_webhook_secret'
  | 'invalid_body';

/** The request is not a webhook of this service, is too old, or was changed on its way. Answer it with 401. */
export class WebhookVerificationError extends Error {
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}

export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | string[] | undefined>>;

export interface VerifyWebhookOptions {
  readonly headers: WebhookHeaders;
  /** The body as it came, before any JSON parser. */
  readonly body: string | Uint8Array;
  /**
   * The agent's `webhook_secret`; several while one is being replaced. Undefined is refused, as where a variable is not
   * set.
   */
  readonly secret: string | readonly string[] | undefined;
  /** How far the signed time may lie from now, either way. Default 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since the Unix epoch; the machine's time by default. */
  readonly now?: number;
}

/**
 * Checks that a request is a webhook of this service, and returns its message: `type` tells which one it is. The fields
 * are not checked against their schemas, which `@va/webhooks/messages` has. A later version of the service may send
 * other types.
 *
 * Every webhook is signed twice, by Standard Webhooks and in the `X-Webhook` headers. The former has to match where it
 * is there; the latter suffices for a receiver that is given nothing else. A secret of fewer than 16 bytes is refused.
 * Throws `WebhookVerificationError`.
 * @example const message = verifyWebhook({ headers: req.headers, body: rawBody, secret: process.env.WEBHOOK_SECRET });
 */
export function verifyWebhook(options: VerifyWebhookOptions): WebhookEventMessage {
  return verifyWebhookDelivery(options).message;
}

/** A webhook that was verified. */
export interface VerifiedWebhook {
  /** `webhook-id`, the same for all attempts; null where the X-Webhook headers alone came, which do not sign it. */
  readonly id: string | null;
  readonly message: WebhookEventMessage;
}

/** Does what `verifyWebhook` does, and returns the verified id, by which a receiver recognizes what it had before. */
export function verifyWebhookDelivery(options: VerifyWebhookOptions): VerifiedWebhook {
  const { headers, body, secret, toleranceSeconds = 300 } = options;
  // This entry stands alone on the customer's server, so it has no injected clock to fall back on.
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

interface Check {
  readonly id: string | null;
  readonly timestamp: string;
  readonly matches: boolean;
}

function checkStandard(headers: WebhookHeaders, body: string | Uint8Array, secrets: readonly string[]): Check | null {
  const [id, timestamp] = [header(headers, 'webhook-id'), header(headers, 'webhook-timestamp')];
  const signatures = header(headers, 'webhook-signature');
  if (signatures === null) return null;
  if (id === null || timestamp === null)
    throw missing('webhook-id and webhook-timestamp, which webhook-signature covers');
  const given = signatures.split(' ');
  const expected = secrets.map((secret) => standardSignature(secret, id, timestamp, body));
  return { id, timestamp, matches: expected.some((one) => given.some((other) => equalTexts(one, other))) };
}

function checkPlain(headers: WebhookHeaders, body: string | Uint8Array, secrets: readonly string[]): Check | null {
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

/** Anybody can sign with an empty key, such as that of an unset environment variable. */
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
      `The webhook was signed at ${timestamp}, too far from now.`,
    );
  }
}

function parseMessage(body: string | Uint8Array): WebhookEventMessage {
  try {
    const { message } = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
    if (typeof message?.type === 'string' && typeof message.timestamp === 'string') return message;
  } catch {
    // Told below, like every other body that is not a webhook's.
  }
  throw new WebhookVerificationError('invalid_body', 'The body is not JSON with a message of some type.');
}

function header(headers: WebhookHeaders, name: string): string | null {
  if (isHeaders(headers)) return headers.get(name);
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? (value[0] ?? null) : (value ?? null);
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}
