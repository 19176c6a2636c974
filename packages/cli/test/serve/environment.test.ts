import { describe, expect, it } from 'vitest';
import { bucketOf, retentionOf, smtpOf } from '../../src/serve/environment.ts';

describe('what va serve reads from its environment', () => {
  it('is a mail server, with TLS from the first byte or STARTTLS', () => {
    expect(smtpOf({ SMTP_URL: 'smtps://va%40host:p%2Fw@mail.test' })).toEqual({
      host: 'mail.test',
      secure: true,
      auth: { user: 'va@host', password: 'p/w' },
    });
    expect(smtpOf({ SMTP_URL: 'smtp://mail.test:2525' })).toEqual({ host: 'mail.test', secure: false, port: 2525 });
    expect(smtpOf({})).toBeNull();
    expect(smtpOf({ SMTP_URL: '' })).toBeNull();
  });

  it.each(['mail.test', 'https://user:hidden@mail.test', 'smtp://'])(
    'is not %j as a mail server, and no password is told',
    (url) => {
      expect(() => smtpOf({ SMTP_URL: url })).toThrow(expect.objectContaining({ code: 'invalid_environment' }));
      expect(() => smtpOf({ SMTP_URL: url })).not.toThrow(/hidden/);
    },
  );

  it('is a bucket for recordings', () => {
    const env = { VA_RECORDINGS_S3_BUCKET: 'calls', VA_RECORDINGS_S3_ENDPOINT: 'https://minio.test' };
    expect(bucketOf(env)).toEqual({ bucket: 'calls', endpoint: 'https://minio.test' });
    expect(bucketOf({ VA_RECORDINGS_S3_REGION: 'eu-west-1' })).toBeNull();
  });

  it('is for how long calls are kept', () => {
    expect(retentionOf({ VA_CONTENT_RETENTION_DAYS: '30' })).toEqual({ content_retention_days: 30 });
    expect(retentionOf({ VA_METADATA_RETENTION_DAYS: '0' })).toEqual({ metadata_retention_days: 0 });
    expect(retentionOf({})).toEqual({});
  });

  it.each(['-1', '1.5', 'a month', '99999'])('is not %j as a number of days', (days) => {
    expect(() => retentionOf({ VA_METADATA_RETENTION_DAYS: days })).toThrow(/VA_METADATA_RETENTION_DAYS/);
  });
});
