import { describe, expect, it } from 'vitest';
import { computeDigest, type DigestAlgorithm, type DigestQop } from '../../src/auth/digest.ts';
import { DigestClient } from '../../src/auth/digest-client.ts';
import { parseDigestParams } from '../../src/auth/digest-params.ts';
import type { SipRequest, SipResponse } from '../../src/message/message.ts';
import { createResponse } from '../../src/message/response.ts';
import { offerText, parsedRequest, requestText } from '../support/messages.ts';

const uri = 'sip:+31201234567@example.com:5070;transport=tcp';
const invite: SipRequest = parsedRequest(requestText({ uri, sdp: offerText }));

function challenged(status: number, ...challenges: (readonly [string, string])[]): SipResponse {
  return createResponse(invite, status, { headers: challenges });
}

function client(): DigestClient {
  return new DigestClient({ username: 'a"nn', password: 'se:cret' }, (count) => new Uint8Array(count).fill(7));
}

function answerOf(digest: DigestClient, request = invite, field = 'Authorization'): ReadonlyMap<string, string> {
  return parseDigestParams(digest.authorize(request).headers.get(field) ?? '') ?? new Map();
}

/** Computes the expected response from the other parameters of the credentials. */
function expectedResponse(params: ReadonlyMap<string, string>, request = invite): string {
  return computeDigest({
    algorithm: (params.get('algorithm') ?? 'MD5') as DigestAlgorithm,
    username: 'a"nn',
    password: 'se:cret',
    realm: params.get('realm') ?? '',
    method: request.method,
    uri: request.uri,
    nonce: params.get('nonce') ?? '',
    cnonce: params.get('cnonce') ?? '',
    nc: params.get('nc') ?? '',
    qop: (params.get('qop') ?? null) as DigestQop | null,
    body: request.body,
  });
}

describe('DigestClient', () => {
  it('uses the Request-URI verbatim, port and transport included', () => {
    const digest = client();
    digest.take(challenged(401, ['WWW-Authenticate', 'Digest realm="p", nonce="n1", qop="auth"']), new Set());
    const answer = answerOf(digest);
    expect(answer.get('uri')).toBe(uri);
    expect(answer.get('response')).toBe(expectedResponse(answer));
  });

  it('quotes parameters as the grammar requires', () => {
    const digest = client();
    const text = 'Digest realm="a \\"b\\"", nonce="n1", qop="auth-int, auth", algorithm=md5, opaque=""';
    digest.take(challenged(407, ['Proxy-Authenticate', text]), new Set());
    const value = digest.authorize(invite).headers.get('Proxy-Authorization') ?? '';
    expect(value).toMatch(/^Digest username="a\\"nn", realm="a \\"b\\"", nonce="n1", uri="sip:/);
    expect(value).toMatch(/, algorithm=MD5, opaque="", qop=auth, nc=00000001, cnonce="0707070707070707"$/);
  });

  it.each(['MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess', 'SHA-512-256', 'SHA-512-256-sess'])('supports %s', (name) => {
    for (const qop of ['', ', qop="auth"', ', qop="auth-int"']) {
      const digest = client();
      const text = `Digest realm="p", nonce="n1", algorithm=${name}${qop}`;
      expect(digest.take(challenged(401, ['WWW-Authenticate', text]), new Set())).toBe(true);
      const answer = answerOf(digest);
      expect(answer.get('algorithm')).toBe(name);
      expect(answer.get('response')).toBe(expectedResponse(answer));
    }
  });

  it('selects the strongest of several algorithms in any order', () => {
    const digest = client();
    const of = (algorithm: string) => ['WWW-Authenticate', `Digest realm="p", nonce="n", ${algorithm}`] as const;
    const all = [of('algorithm=MD5'), of('algorithm=SHA-256'), of('algorithm=SHA-1'), of('qop="auth"')];
    digest.take(challenged(401, ...all), new Set());
    expect(answerOf(digest).get('algorithm')).toBe('SHA-256');
    expect(digest.authorize(invite).headers.all('Authorization')).toHaveLength(1);
  });

  it('answers both a proxy and the server behind it', () => {
    const digest = client();
    const answered = new Set<string>();
    expect(digest.take(challenged(407, ['Proxy-Authenticate', 'Digest realm="p", nonce="n"']), answered)).toBe(true);
    expect(digest.take(challenged(401, ['WWW-Authenticate', 'Digest realm="p", nonce="n"']), answered)).toBe(true);
    const { headers } = digest.authorize(invite);
    expect(headers.all('Authorization')).toHaveLength(1);
    expect(headers.all('Proxy-Authorization')).toHaveLength(1);
  });

  it('counts the uses of a nonce, and restarts with a new one', () => {
    const digest = client();
    digest.take(challenged(401, ['WWW-Authenticate', 'Digest realm="p", nonce="n1", qop="auth"']), new Set());
    expect([answerOf(digest).get('nc'), answerOf(digest).get('nc')]).toEqual(['00000001', '00000002']);
    digest.take(challenged(401, ['WWW-Authenticate', 'Digest realm="p", nonce="n2", qop="auth"']), new Set());
    expect([answerOf(digest).get('nc'), answerOf(digest).get('nonce')]).toEqual(['00000001', 'n2']);
  });

  it('gives up when the same realm rejects its credentials, unless they were stale', () => {
    const digest = client();
    const answered = new Set<string>();
    const text = 'Digest realm="p", nonce="n1"';
    expect(digest.take(challenged(401, ['WWW-Authenticate', text]), answered)).toBe(true);
    expect(digest.take(challenged(401, ['WWW-Authenticate', `${text}, stale=TRUE`]), answered)).toBe(true);
    expect(digest.take(challenged(401, ['WWW-Authenticate', text]), answered)).toBe(false);
  });

  it.each([
    'Basic realm="p"',
    'Digest realm="p"',
    'Digest realm="p", nonce="n", algorithm=SHA-1',
    'Digest realm="p", nonce="n", qop="future"',
    'Digest realm="p, nonce="n',
    '',
  ])('does not answer %j', (text) => {
    expect(client().take(challenged(401, ['WWW-Authenticate', text]), new Set())).toBe(false);
  });
});
