import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { DigestClient } from '../../src/auth/digest-client.ts';
import { DigestServer } from '../../src/auth/digest-server.ts';
import type { SipRequest } from '../../src/message/message.ts';
import { createResponse } from '../../src/message/response.ts';
import { offerText, parsedRequest, requestText } from '../support/messages.ts';

const invite: SipRequest = parsedRequest(requestText({ sdp: offerText }));
const passwords = (username: string) => (username === 'ann' ? 'secret' : null);

function createServer() {
  const clock = new VirtualClock();
  let calls = 0;
  const random = (count: number) => {
    calls += 1;
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count && at < 4; at++) bytes[at] = (calls >> (8 * at)) & 255;
    return bytes;
  };
  return { clock, server: new DigestServer({ clock, random, realm: 'va', nonceLifeMs: 60_000 }) };
}

function createClient(server: DigestServer, username = 'ann', password = 'secret'): DigestClient {
  const client = new DigestClient({ username, password }, (count) => new Uint8Array(count));
  client.take(createResponse(invite, 401, { headers: server.challenge() }), new Set());
  return client;
}

describe('DigestServer', () => {
  it('accepts several requests with the correct password', async () => {
    const { server } = createServer();
    const client = createClient(server);
    for (let i = 0; i < 3; i++) {
      expect(await server.verify(client.authorize(invite), passwords)).toEqual({
        type: 'authenticated',
        username: 'ann',
      });
    }
  });

  it('offers SHA-256 before MD5', () => {
    const challenges = createServer().server.challenge();
    expect(challenges.map(([, value]) => /algorithm=([^,]+)/.exec(value)?.[1])).toEqual(['SHA-256', 'MD5']);
  });

  it('rejects missing credentials, a wrong password and an unknown user', async () => {
    const { server } = createServer();
    expect(await server.verify(invite, passwords)).toEqual({ type: 'unauthenticated' });
    for (const client of [createClient(server, 'ann', 'guess'), createClient(server, 'bob')]) {
      expect(await server.verify(client.authorize(invite), passwords)).toEqual({ type: 'unauthenticated' });
    }
  });

  it('rejects credentials that were used before', async () => {
    const { server } = createServer();
    const client = createClient(server);
    const first = client.authorize(invite);
    const second = client.authorize(invite);
    expect(await server.verify(second, passwords)).toMatchObject({ type: 'authenticated' });
    expect(await server.verify(second, passwords)).toEqual({ type: 'stale' });
    expect(await server.verify(first, passwords)).toEqual({ type: 'stale' });
  });

  it('rejects credentials for one number in a request to another', async () => {
    const { server } = createServer();
    const { headers } = createClient(server).authorize(invite);
    const elsewhere = { ...invite, uri: 'sip:+31209999999@127.0.0.1', headers };
    expect(await server.verify(elsewhere, passwords)).toEqual({ type: 'unauthenticated' });
    const byProxy = { ...invite, uri: 'sip:+31201234567@10.0.0.1:5070', headers };
    expect(await server.verify(byProxy, passwords)).toMatchObject({ type: 'authenticated' });
  });

  it('rejects a replay after its nonce count was dropped', async () => {
    const { server } = createServer();
    const answer = createClient(server).authorize(invite);
    expect(await server.verify(answer, passwords)).toMatchObject({ type: 'authenticated' });
    const others: DigestClient[] = [];
    for (let i = 0; i < 10_001; i++) others.push(createClient(server));
    for (const other of others) await server.verify(other.authorize(invite), passwords);
    expect(await server.verify(answer, passwords)).toEqual({ type: 'stale' });
  });

  it('reports an expired nonce as stale', async () => {
    const { server, clock } = createServer();
    const client = createClient(server);
    await clock.advance(60_001);
    expect(await server.verify(client.authorize(invite), passwords)).toEqual({ type: 'stale' });
    expect(server.challenge(true)[0]?.[1]).toContain('stale=true');
  });

  it('rejects a nonce that it did not create', async () => {
    const { server } = createServer();
    const stranger = new DigestServer({
      clock: new VirtualClock(),
      realm: 'va',
      random: (count) => new Uint8Array(count).fill(99),
    });
    expect(await server.verify(createClient(stranger).authorize(invite), passwords)).toEqual({
      type: 'unauthenticated',
    });
  });

  it('binds the credentials to the method', async () => {
    const { server } = createServer();
    const authorized = createClient(server).authorize(invite);
    expect(await server.verify({ ...authorized, method: 'REGISTER' }, passwords)).toEqual({ type: 'unauthenticated' });
  });
});
