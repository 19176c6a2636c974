import { createHmac } from 'node:crypto';
import { isApiToken, vonageKeys, vonageSignature } from '@va/testkit/carrier-servers';
import { tokenGenerate, verifySignature } from '@vonage/jwt';
import { describe, expect, it } from 'vitest';
import { apiToken, claimsOf, isSigned } from '../../src/vonage/jwt.ts';
import { readWebhook } from '../../src/vonage/webhook.ts';

const applicationId = '78d335fa-323d-4114-9c3d-d6f0d48968cf';
const secret = 'a-signature-secret-of-at-least-32-bytes';
const { privateKey, publicKey } = vonageKeys();

function signed(payload: string, wallMs = Date.now(), key = secret): string {
  return vonageSignature({ applicationId, secret: key, payload, wallMs });
}

describe('tokens for the API', () => {
  it('are those of the vendor’s SDK', () => {
    const ours = apiToken({ applicationId, privateKey, id: 'one', wallMs: Date.now() });
    expect(verifySignature(ours, publicKey)).toBe(true);
    expect(isApiToken(ours, applicationId, Date.now())).toBe(true);
    expect(isApiToken(tokenGenerate(applicationId, privateKey), applicationId, Date.now())).toBe(true);
  });

  it('are refused by the testkit’s Vonage for another application, after their time, and when changed', () => {
    const ours = apiToken({ applicationId, privateKey, id: 'one', wallMs: 1_000_000 });
    expect(isApiToken(ours, applicationId, 1_000_000)).toBe(true);
    expect(isApiToken(ours, 'another', 1_000_000)).toBe(false);
    expect(isApiToken(ours, applicationId, 1_300_001)).toBe(false);
    expect(isApiToken(`${ours.slice(0, -8)}AAAAAAAA`, applicationId, 1_000_000)).toBe(false);
  });
});

describe('tokens of webhooks', () => {
  it('are those of the vendor’s SDK', () => {
    const token = signed('{}');
    expect(verifySignature(token, secret)).toBe(true);
    expect(isSigned(token, secret, Date.now())).toBe(true);
    expect(claimsOf(token)?.application_id).toBe(applicationId);
  });

  it.each([
    ['of another secret', signed('{}', 1_000_000, 'another')],
    ['issued five minutes ago', signed('{}', 699_000)],
    ['issued in the future', signed('{}', 1_301_000)],
    ['without a signature', signed('{}', 1_000_000).replace(/[^.]*$/, '')],
    ['of two parts', 'a.b'],
    ['of four parts', `${signed('{}', 1_000_000)}.a`],
    ['of no parts', ''],
  ])('are refused: %s', (_name, token) => {
    expect(isSigned(token, secret, 1_000_000)).toBe(false);
  });

  it('are refused with another algorithm', () => {
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const alg of ['none', 'RS256', 'HS512']) {
      const text = `${encode({ alg })}.${encode({ iat: 1_000 })}`;
      const token = `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
      expect([alg, isSigned(token, secret, 1_000_000)]).toEqual([alg, false]);
    }
  });

  it('cover the body, or the query in its order', async () => {
    const url = 'https://example.com/voice';
    const check = async (payload: string, request: RequestInit & { readonly query?: string }): Promise<boolean> => {
      const headers = { authorization: `Bearer ${signed(payload)}` };
      const webhook = await readWebhook(new Request(`${url}${request.query ?? ''}`, { ...request, headers }));
      return webhook.isSigned(secret, Date.now());
    };
    expect(await check('{"to":"31"}', { method: 'POST', body: '{"to":"31"}' })).toBe(true);
    expect(await check('{"to":"31"}', { method: 'POST', body: '{"to":"32"}' })).toBe(false);
    expect(await check('{"to":"31","from":"é"}', { query: '?to=31&from=%C3%A9' })).toBe(true);
    expect(await check('{"to":"31","from":"é"}', { query: '?from=%C3%A9&to=31' })).toBe(false);
  });
});
