import { telnyxKeys, telnyxSignature } from '@va/testkit/carrier-servers';
import Telnyx from 'telnyx';
import { describe, expect, it } from 'vitest';
import { isSigned } from '../../src/telnyx/signature.ts';

const keys = telnyxKeys();
const body = '{"data":{"event_type":"call.initiated","payload":{"from":"+31 é"}}}';

function signed(headers: Record<string, string>, text = body) {
  const signature = headers['telnyx-signature-ed25519'] ?? null;
  return { signature, timestamp: headers['telnyx-timestamp'] ?? null, body: text };
}

describe('signatures of Telnyx', () => {
  it('are those of the vendor’s SDK', async () => {
    const client = new Telnyx({ apiKey: 'key', publicKey: keys.publicKey });
    const headers = telnyxSignature(keys, body, Date.now());
    expect(await client.webhooks.unwrap(body, { headers })).toEqual(JSON.parse(body));
    expect(isSigned(signed(headers), keys.publicKey, Date.now())).toBe(true);
    const forged = telnyxSignature(telnyxKeys(), body, Date.now());
    await expect(client.webhooks.unwrap(body, { headers: forged })).rejects.toThrow();
    expect(isSigned(signed(forged), keys.publicKey, Date.now())).toBe(false);
  });

  it('are refused after five minutes, as by the SDK', async () => {
    const client = new Telnyx({ apiKey: 'key', publicKey: keys.publicKey });
    const old = telnyxSignature(keys, body, Date.now() - 310_000);
    await expect(client.webhooks.unwrap(body, { headers: old })).rejects.toThrow();
    const headers = telnyxSignature(keys, body, 1_000_000);
    for (const [atMs, isFresh] of [
      [1_300_000, true],
      [1_300_001, false],
      [700_000, true],
      [699_999, false],
    ] as const) {
      expect([atMs, isSigned(signed(headers), keys.publicKey, atMs)]).toEqual([atMs, isFresh]);
    }
  });

  it.each<[string, object]>([
    ['another body', { body: `${body} ` }],
    ['another timestamp', { timestamp: '1001' }],
    ['a timestamp that is no number', { timestamp: '1000x' }],
    ['no timestamp', { timestamp: null }],
    ['no signature', { signature: null }],
    ['a short signature', { signature: 'AAAA' }],
  ])('are refused with %s', (_name, change) => {
    const headers = telnyxSignature(keys, body, 1_000_000);
    expect(isSigned({ ...signed(headers), ...change }, keys.publicKey, 1_000_000)).toBe(false);
  });

  it('are refused for a key of another length', () => {
    expect(isSigned(signed(telnyxSignature(keys, body, 1_000_000)), 'AAAA', 1_000_000)).toBe(false);
  });
});
