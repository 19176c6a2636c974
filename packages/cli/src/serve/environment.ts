import { VaError } from '@va/core';
import type { SmtpOptions } from '@va/mail/smtp';
import type { S3RecordingsOptions } from '@va/recordings/s3';
import type { SipRegistration } from '@va/sip';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses SMTP_URL: `smtps://user:password@host` uses TLS from the first byte, `smtp://` STARTTLS. Returns null if it is
 * not set.
 * @throws VaError `invalid_environment`
 */
export function smtpOf({ SMTP_URL: text }: Environment): SmtpOptions | null {
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const [user, password] = [decoded(url?.username), decoded(url?.password)];
  const isServer = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
  if (!isServer || user === null || password === null) {
    // Omits the text, because it may contain a password.
    throw invalid(
      'SMTP_URL is not a valid mail server URL: expected smtps://user:password@host:port (TLS) or ' +
        'smtp://user:password@host:587 (STARTTLS), with special characters percent-encoded.',
    );
  }
  return {
    host: url.hostname,
    secure: url.protocol === 'smtps:',
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    ...(user === '' ? {} : { auth: { user, password } }),
  };
}

/** Decodes percent-encoding; null if it is malformed. */
function decoded(text = ''): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * Reads the bucket for recordings from VA_RECORDINGS_S3_BUCKET, _REGION, _ENDPOINT and _PREFIX; null without a bucket.
 * Credentials are looked up by the S3 client.
 */
export function bucketOf(env: Environment): Omit<S3RecordingsOptions, 'spoolDir'> | null {
  const bucket = env.VA_RECORDINGS_S3_BUCKET;
  if (!bucket) return null;
  const { VA_RECORDINGS_S3_REGION: region, VA_RECORDINGS_S3_ENDPOINT: endpoint, VA_RECORDINGS_S3_PREFIX: prefix } = env;
  return { bucket, ...(region && { region }), ...(endpoint && { endpoint }), ...(prefix && { prefix }) };
}

/**
 * Returns the SIP accounts to keep registered, from VA_SIP_REGISTRATIONS: a JSON array of `SipRegistration`.
 * @throws VaError `invalid_environment`
 */
export function registrationsOf({ VA_SIP_REGISTRATIONS: text }: Environment): readonly SipRegistration[] {
  if (!text) return [];
  const parsed = parseJson(text);
  if (Array.isArray(parsed) && parsed.every(isRegistration)) return parsed;
  // Omits the text, because it contains passwords.
  throw invalid(
    'VA_SIP_REGISTRATIONS is invalid: expected a JSON array of objects with address, username and password, and ' +
      'optionally transport (udp, tcp, tls), account and expiresSeconds.',
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRegistration(value: unknown): value is SipRegistration {
  if (typeof value !== 'object' || value === null) return false;
  const {
    address,
    username,
    password,
    transport = 'udp',
    account = '',
    expiresSeconds = 600,
    ...unknown
  } = {
    ...(value as Readonly<Record<string, unknown>>),
  };
  return (
    [address, username, password].every((each) => typeof each === 'string' && each !== '') &&
    ['udp', 'tcp', 'tls'].includes(String(transport)) &&
    typeof account === 'string' &&
    typeof expiresSeconds === 'number' &&
    Object.keys(unknown).length === 0
  );
}

export interface RetentionDays {
  readonly content_retention_days?: number;
  readonly metadata_retention_days?: number;
}

/**
 * Reads the retention of the deployment's own organization, in days, from VA_CONTENT_RETENTION_DAYS and
 * VA_METADATA_RETENTION_DAYS. Unset values stay unchanged.
 * @throws VaError `invalid_environment`
 */
export function retentionOf(env: Environment): RetentionDays {
  const [content, metadata] = [daysOf(env, 'VA_CONTENT_RETENTION_DAYS'), daysOf(env, 'VA_METADATA_RETENTION_DAYS')];
  return {
    ...(content === null ? {} : { content_retention_days: content }),
    ...(metadata === null ? {} : { metadata_retention_days: metadata }),
  };
}

function daysOf(env: Environment, name: string): number | null {
  const text = env[name];
  if (!text) return null;
  const days = Number(text);
  if (Number.isInteger(days) && days >= 0 && days <= 36_500) return days;
  throw invalid(`${name} is ${text}: expected a whole number of days, 0 to 36500.`);
}

function invalid(message: string): VaError {
  return new VaError('invalid_environment', message);
}
