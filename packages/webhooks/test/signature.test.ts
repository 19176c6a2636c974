import { describe, expect, it } from 'vitest';
import { plainSignature, standardSignature } from '../src/signature.ts';
import { verifyWebhook } from '../src/verify.ts';

const secret = 'a secret of 24 characters';

describe('signatures', () => {
  // The example of the Standard Webhooks specification.
  it('match the example of Standard Webhooks', () => {
    const signature = standardSignature(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      '1614265330',
      '{"test": 2432232314}',
    );
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  // openssl: printf '1700000000.{}' | openssl dgst -sha256 -hmac secret
  it('match another implementation of HMAC', () => {
    expect(plainSignature('secret', '1700000000', '{}')).toBe(
      'sha256=b8569b78799ff9e3cbff0fc2d63a33a2b57f3282abd07c37ae5e8e7d79a5f163',
    );
  });

  it('are refused when the signed body is not a webhook', () => {
    const timestamp = '1700000000';
    for (const body of ['', 'null', '[]', '{"message":{}}', '{"message":{"type":1}}']) {
      const headers = {
        'x-webhook-timestamp': timestamp,
        'x-webhook-signature': plainSignature(secret, timestamp, body),
      };
      const verify = (): unknown => verifyWebhook({ headers, body, secret, now: 1_700_000_000_000 });
      expect(verify).toThrow(expect.objectContaining({ code: 'invalid_body' }));
    }
  });

  it('are refused when the signed timestamp is not a number', () => {
    const headers = { 'x-webhook-timestamp': 'soon', 'x-webhook-signature': plainSignature(secret, 'soon', '{}') };
    expect(() => verifyWebhook({ headers, body: '{}', secret })).toThrow(
      expect.objectContaining({ code: 'invalid_timestamp' }),
    );
  });
});
