import { describe, expect, it } from 'vitest';
import {
  extendedMasterSecret,
  recordKeys,
  srtpKeys,
  verifyData,
} from '../../../../src/server/webrtc/dtls/key-schedule.ts';
import { prf } from '../../../../src/server/webrtc/dtls/prf.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const master = Buffer.alloc(48, 7);
const randoms = { client: Buffer.alloc(32, 1), server: Buffer.alloc(32, 2) };

describe('prf', () => {
  const secret = hex('9bbe436ba940f017b17652849a71db35');
  const seed = hex('a0ba9f936cda311827a6f796ffd5198c');
  const output = hex(
    'e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9af' +
      '0fa022f7077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff70187347b66',
  );

  it('returns the bytes of the test vector of the TLS working group for SHA-256', () => {
    expect(prf(secret, 'test label', seed, 100)).toEqual(output);
  });

  it.each([0, 1, 31, 32, 33, 64, 99])('returns the first %i bytes of the same sequence', (length) => {
    expect(prf(secret, 'test label', seed, length)).toEqual(output.subarray(0, length));
  });
});

describe('the keys of a handshake', () => {
  it('are a master secret of 48 bytes that depends on every message', () => {
    const [one, other] = ['hello', 'hellp'].map((text) => extendedMasterSecret(Buffer.alloc(32, 3), Buffer.from(text)));
    expect(one).toHaveLength(48);
    expect(one).not.toEqual(other);
  });

  it('are different in both directions', () => {
    const { clientKey, serverKey, clientIv, serverIv } = recordKeys(master, randoms);
    expect([clientKey, serverKey, clientIv, serverIv].map(({ length }) => length)).toEqual([16, 16, 4, 4]);
    expect(clientKey).not.toEqual(serverKey);
    expect(clientIv).not.toEqual(serverIv);
  });

  it('expand with the random of the server first (RFC 5246 §6.3)', () => {
    const block = prf(master, 'key expansion', Buffer.concat([randoms.server, randoms.client]), 40);
    expect(recordKeys(master, randoms).clientKey).toEqual(block.subarray(0, 16));
  });

  it('are confirmed by 12 bytes that name the sender', () => {
    const transcript = Buffer.from('all messages');
    const [client, server] = [verifyData(master, 'client', transcript), verifyData(master, 'server', transcript)];
    expect([client.length, server.length]).toEqual([12, 12]);
    expect(client).not.toEqual(server);
  });

  it.each([
    ['AES_CM_128_HMAC_SHA1_80', 14],
    ['AEAD_AES_128_GCM', 12],
  ] as const)('of %s for SRTP are 16 bytes and a salt of %i, the client’s first (RFC 5764 §4.2)', (suite, salt) => {
    const { localKey, remoteKey } = srtpKeys(suite, master, randoms);
    const seed = Buffer.concat([randoms.client, randoms.server]);
    const exported = prf(master, 'EXTRACTOR-dtls_srtp', seed, 2 * (16 + salt));
    expect([localKey.length, remoteKey.length]).toEqual([16 + salt, 16 + salt]);
    expect(Buffer.from(remoteKey).subarray(0, 16)).toEqual(exported.subarray(0, 16));
    expect(Buffer.from(localKey).subarray(0, 16)).toEqual(exported.subarray(16, 32));
    expect(Buffer.from(remoteKey).subarray(16)).toEqual(exported.subarray(32, 32 + salt));
    expect(Buffer.from(localKey).subarray(16)).toEqual(exported.subarray(32 + salt));
  });
});
