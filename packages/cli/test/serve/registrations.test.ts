import { describe, expect, it } from 'vitest';
import { bucketOf, registrationsOf, retentionOf, smtpOf } from '../../src/serve/environment.ts';

const account = { address: 'pbx.test', username: 'va', password: 'hidden' };

describe('registrationsOf', () => {
  it.each([undefined, ''])('has none for %j', (text) => {
    expect(registrationsOf({ VA_SIP_REGISTRATIONS: text })).toEqual([]);
  });

  it.each([
    [[]],
    [[account]],
    [[account, { ...account, username: 'other' }]],
    [[{ ...account, transport: 'tls', account: '+31201234567', expiresSeconds: 60 }]],
  ])('reads %j', (accounts) => {
    expect(registrationsOf({ VA_SIP_REGISTRATIONS: JSON.stringify(accounts) })).toEqual(accounts);
  });

  it.each([
    ['a list of something else', [7]],
    ['null', [null]],
    ['an account without a password', [{ address: 'pbx.test', username: 'va' }]],
    ['an empty username', [{ ...account, username: '' }]],
    ['an address that is no text', [{ ...account, address: 7 }]],
    ['an unknown transport', [{ ...account, transport: 'sctp' }]],
    ['an account that is no text', [{ ...account, account: 7 }]],
    ['an expiry that is no number', [{ ...account, expiresSeconds: '600' }]],
    ['an unknown field', [{ ...account, realm: 'pbx.test' }]],
    ['a valid account beside an invalid one', [account, {}]],
  ])('refuses %s, without a password in the error', (_, accounts) => {
    const read = () => registrationsOf({ VA_SIP_REGISTRATIONS: JSON.stringify(accounts) });
    expect(read).toThrow(expect.objectContaining({ code: 'invalid_environment' }));
    expect(read).not.toThrow(/hidden/);
  });
});

describe('smtpOf', () => {
  it.each([
    ['smtp://mail.test', { host: 'mail.test', secure: false }],
    ['smtps://mail.test', { host: 'mail.test', secure: true }],
    ['smtp://va:@mail.test', { host: 'mail.test', secure: false, auth: { user: 'va', password: '' } }],
    ['smtps://[2001:db8::1]:465', { host: '[2001:db8::1]', secure: true, port: 465 }],
  ])('reads %j', (url, expected) => {
    expect(smtpOf({ SMTP_URL: url })).toEqual(expected);
  });
});

describe('bucketOf', () => {
  it('reads everything that is set, and nothing that is empty', () => {
    const env = {
      VA_RECORDINGS_S3_BUCKET: 'calls',
      VA_RECORDINGS_S3_REGION: 'eu-west-1',
      VA_RECORDINGS_S3_ENDPOINT: 'https://minio.test',
      VA_RECORDINGS_S3_PREFIX: 'recordings/',
    };
    expect(bucketOf(env)).toEqual({
      bucket: 'calls',
      region: 'eu-west-1',
      endpoint: 'https://minio.test',
      prefix: 'recordings/',
    });
    expect(bucketOf({ VA_RECORDINGS_S3_BUCKET: 'calls', VA_RECORDINGS_S3_REGION: '' })).toEqual({ bucket: 'calls' });
    expect(bucketOf({ VA_RECORDINGS_S3_BUCKET: '' })).toBeNull();
  });
});

describe('retentionOf', () => {
  it('reads the days for content and metadata, up to a hundred years, and omits empty ones', () => {
    expect(retentionOf({ VA_CONTENT_RETENTION_DAYS: '36500', VA_METADATA_RETENTION_DAYS: '' })).toEqual({
      content_retention_days: 36_500,
    });
    expect(retentionOf({ VA_CONTENT_RETENTION_DAYS: '0', VA_METADATA_RETENTION_DAYS: '365' })).toEqual({
      content_retention_days: 0,
      metadata_retention_days: 365,
    });
  });

  it.each(['36501', '1e9', '-0.5', '30 days', 'Infinity'])('refuses %j and names the variable', (days) => {
    expect(() => retentionOf({ VA_CONTENT_RETENTION_DAYS: days })).toThrow(
      `VA_CONTENT_RETENTION_DAYS is ${days}: expected a whole number of days, 0 to 36500.`,
    );
  });
});
