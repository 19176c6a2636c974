import { describe, expect, it } from 'vitest';
import { bucketOf, retentionOf, smtpOf } from '../../src/serve/environment.ts';

describe('environment of va serve', () => {
  it('reads a mail server with TLS from the first byte or STARTTLS', () => {
    expect(smtpOf({ SMTP_URL: 'smtps://va%40host:p%2Fw@mail.test' })).toEqual({
      host: 'mail.test',
      secure: true,
      auth: { user: 'va@host', password: 'p/w' },
    });
    expect(smtpOf({ SMTP_URL: 'smtp://mail.test:2525' })).toEqual({ host: 'mail.test', secure: false, port: 2525 });
    expect(smtpOf({})).toBeNull();
    expect(smtpOf({ SMTP_URL: '' })).toBeNull();
  });

  it.each(['mail.test', 'https://user:hidden@mail.test', 'smtp://', 'smtp://user:100%hidden@mail.test'])(
    'refuses %j as a mail server without repeating the password',
    (url) => {
      expect(() => smtpOf({ SMTP_URL: url })).toThrow(expect.objectContaining({ code: 'invalid_environment' }));
      expect(() => smtpOf({ SMTP_URL: url })).not.toThrow(/hidden/);
    },
  );

  it('reads the bucket for recordings', () => {
    const env = { VA_RECORDINGS_S3_BUCKET: 'calls', VA_RECORDINGS_S3_ENDPOINT: 'https://minio.test' };
    expect(bucketOf(env)).toEqual({ bucket: 'calls', endpoint: 'https://minio.test' });
    expect(bucketOf({ VA_RECORDINGS_S3_REGION: 'eu-west-1' })).toBeNull();
  });

  it('reads the retention in days', () => {
    expect(retentionOf({ VA_CONTENT_RETENTION_DAYS: '30' })).toEqual({ content_retention_days: 30 });
    expect(retentionOf({ VA_METADATA_RETENTION_DAYS: '0' })).toEqual({ metadata_retention_days: 0 });
    expect(retentionOf({})).toEqual({});
  });

  it.each(['-1', '1.5', 'a month', '99999'])('refuses %j as a number of days', (days) => {
    expect(() => retentionOf({ VA_METADATA_RETENTION_DAYS: days })).toThrow(/VA_METADATA_RETENTION_DAYS/);
  });
});
