import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCertificate, fingerprintOf } from '../../../src/server/webrtc/dtls/certificate.ts';
import { DtlsServer } from '../../../src/server/webrtc/dtls/dtls-server.ts';
import type { DtlsSrtpKeys } from '../../../src/server/webrtc/dtls/key-schedule.ts';
import { prf } from '../../../src/server/webrtc/dtls/prf.ts';
import { clientHello } from './client-hello.ts';
import { seeded } from './mutate.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const certificate = createCertificate(systemRandom);

it('prf › gives the output of the published test vector for SHA-256', () => {
  const output = prf(
    Buffer.from('9bbe436ba940f017b17652849a71db35', 'hex'),
    'test label',
    Buffer.from('a0ba9f936cda311827a6f796ffd5198c', 'hex'),
    100,
  );
  expect(output.toString('hex')).toBe(
    'e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9af' +
      '0fa022f7077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff701' +
      '87347b66',
  );
});

it('createCertificate › signs itself, and other readers of X.509 can read it', () => {
  const read = new X509Certificate(certificate.der);
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.subject).toBe('CN=va');
  expect(read.fingerprint256).toBe(certificate.fingerprint);
  expect(createCertificate(systemRandom).fingerprint).not.toBe(certificate.fingerprint);
});

describe.skipIf(!hasOpenssl)('DTLS server, with OpenSSL as the client (Debian: openssl)', () => {
  let dir: string;

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'va-dtls-'));
    for (const [name, key] of [
      ['ec', ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']],
      ['rsa', ['rsa:2048']],
    ] as const) {
      const files = ['-keyout', join(dir, `${name}.key`), '-out', join(dir, `${name}.pem`)];
      execFileSync('openssl', ['req', '-x509', '-nodes', '-subj', '/CN=page', '-newkey', ...key, ...files], {
        stdio: 'ignore',
      });
    }
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  interface Handshake {
    readonly keys: DtlsSrtpKeys | null;
    readonly end: string | null;
    /** The SRTP keys that OpenSSL exports. */
    readonly exported: string;
  }

  interface HandshakeOptions {
    /** Name of the client's certificate, and of the one that is expected: by default the same. */
    readonly client?: string;
    readonly expected?: string;
    readonly loses?: () => boolean;
  }

  /** Runs a handshake with these arguments for `openssl s_client`; `loses` decides about each datagram. */
  async function handshake(
    args: readonly string[],
    { client = 'ec', expected, loses = () => false }: HandshakeOptions = {},
  ): Promise<Handshake> {
    const trusted = fingerprintOf(
      new X509Certificate(readFileSync(join(dir, `${expected ?? client}.pem`))).raw,
      'sha-256',
    );
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    let keys: DtlsSrtpKeys | null = null;
    let end: string | null = null;
    let to = 0;
    const server = new DtlsServer({
      clock: systemClock,
      random: systemRandom,
      certificate,
      isExpected: (der) => fingerprintOf(der, 'sha-256') === trusted,
      send: (datagram) => {
        if (!loses()) socket.send(datagram, to, '127.0.0.1');
      },
      onConnected: (each) => {
        keys = each;
      },
      onEnd: (reason) => {
        end = reason;
      },
    });
    socket.on('message', (bytes, { port }) => {
      to = port;
      if (!loses()) server.receive(bytes, String(port));
    });
    const files = ['-cert', join(dir, `${client}.pem`), '-key', join(dir, `${client}.key`)];
    const openssl = spawn('openssl', [
      ...['s_client', '-dtls1_2', '-timeout', '-connect', `127.0.0.1:${socket.address().port}`, ...files],
      ...['-keymatexport', 'EXTRACTOR-dtls_srtp', '-keymatexportlen', '60', ...args],
    ]);
    let output = '';
    openssl.stdout.on('data', (data) => {
      output += String(data);
    });
    try {
      await vi.waitFor(() => expect(end !== null || output.includes('Keying material:')).toBe(true), 15_000);
      // OpenSSL sends close_notify at the end of its input.
      openssl.stdin.end();
      if (keys !== null) await vi.waitFor(() => expect(end).toBe('closed'), 5_000);
    } finally {
      openssl.kill();
      server.close();
      socket.close();
    }
    return { keys, end, exported: /Keying material: (\w+)/.exec(output)?.[1]?.toLowerCase() ?? '' };
  }

  /** The keys in the order of RFC 5764 §4.2. */
  function exportedForm({ localKey, remoteKey }: DtlsSrtpKeys): string {
    const parts = [remoteKey.slice(0, 16), localKey.slice(0, 16), remoteKey.slice(16), localKey.slice(16)];
    return Buffer.concat(parts).toString('hex');
  }

  it.each([
    ['SRTP_AES128_CM_SHA1_80', 'AES_CM_128_HMAC_SHA1_80', 'ec'],
    ['SRTP_AEAD_AES_128_GCM', 'AEAD_AES_128_GCM', 'ec'],
    ['SRTP_AES128_CM_SHA1_80', 'AES_CM_128_HMAC_SHA1_80', 'rsa'],
  ])('exports the same keys for %s (%s) with the %s certificate', async (profile, suite, client) => {
    const { keys, exported, end } = await handshake(['-use_srtp', profile], { client });
    expect(keys?.suite).toBe(suite);
    expect(end).toBe('closed');
    const own = keys === null ? '' : exportedForm(keys);
    expect(exported.startsWith(own)).toBe(true);
  });

  it('reassembles a hello and a certificate that arrive in fragments', async () => {
    const { keys } = await handshake(['-use_srtp', 'SRTP_AES128_CM_SHA1_80', '-mtu', '256'], { client: 'rsa' });
    expect(keys).not.toBeNull();
  });

  it('completes the handshake although datagrams are lost', async () => {
    const below = seeded(5);
    let lost = 0;
    const loses = (): boolean => {
      const isLost = below(3) === 0;
      lost += isLost ? 1 : 0;
      return isLost;
    };
    const { keys } = await handshake(['-use_srtp', 'SRTP_AES128_CM_SHA1_80'], { loses });
    expect(keys).not.toBeNull();
    expect(lost).toBeGreaterThan(2);
  });

  it.each([
    ['another certificate than the expected one', [], 'the certificate is not that of the offer', 'rsa'],
    ['no SRTP', [], 'the far end does not offer a known SRTP profile', 'ec'],
    ['no common cipher suite', ['-cipher', 'ECDHE-RSA-AES128-GCM-SHA256'], 'ECDHE-ECDSA-AES128-GCM-SHA256', 'ec'],
    ['no P-256', ['-groups', 'P-384'], 'P-256', 'ec'],
  ])('refuses a client with %s', async (name, args, reason, expected) => {
    const srtp = name === 'no SRTP' ? [] : ['-use_srtp', 'SRTP_AES128_CM_SHA1_80'];
    const { keys, end } = await handshake([...srtp, ...args], { expected });
    expect(keys).toBeNull();
    expect(end).toContain(reason);
  });

  it('refuses a client without a certificate', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const ends: string[] = [];
    let to = 0;
    const server = new DtlsServer({
      clock: systemClock,
      random: systemRandom,
      certificate,
      isExpected: (der) => der.length > 0,
      send: (datagram) => socket.send(datagram, to, '127.0.0.1'),
      onConnected: () => ends.push('connected'),
      onEnd: (reason) => ends.push(reason),
    });
    socket.on('message', (bytes, { port }) => {
      to = port;
      server.receive(bytes, String(port));
    });
    const { port } = socket.address();
    const openssl = spawn('openssl', [
      ...['s_client', '-dtls1_2', '-connect', `127.0.0.1:${port}`, '-use_srtp', 'SRTP_AES128_CM_SHA1_80'],
    ]);
    await vi.waitFor(() => expect(ends).toEqual(['the certificate is not that of the offer']), 8_000);
    openssl.kill();
    socket.close();
  });
});

describe('DTLS server', () => {
  it('repeats its flight five times at growing intervals, then gives up', async () => {
    const clock = new VirtualClock();
    const sent: { readonly atMs: number; readonly datagram: Buffer }[] = [];
    const ends: string[] = [];
    const startedAtMs = clock.nowMs();
    const server = new DtlsServer({
      clock,
      random: systemRandom,
      certificate,
      isExpected: () => true,
      send: (datagram) => sent.push({ atMs: clock.nowMs() - startedAtMs, datagram }),
      onConnected: () => ends.push('connected'),
      onEnd: (reason) => ends.push(reason),
    });
    server.receive(clientHello(0, Buffer.alloc(0)), 'page');
    const cookie = sent[0]?.datagram.subarray(-16) ?? Buffer.alloc(0);
    server.receive(clientHello(1, cookie), 'elsewhere');
    expect(sent[1]?.datagram[13]).toBe(3);
    server.receive(clientHello(2, cookie), 'page');
    await clock.advance(60_000);
    expect(sent.slice(2).map(({ atMs }) => atMs)).toEqual([0, 250, 750, 1_750, 3_750, 7_750]);
    expect(ends).toEqual(['the handshake was not continued']);
    expect(clock.pending).toBe(0);
  });

  it('answers a hello without a cookie with fewer bytes than it received, and sets no timer', () => {
    const clock = new VirtualClock();
    const sent: Buffer[] = [];
    const server = new DtlsServer({
      clock,
      random: systemRandom,
      certificate,
      isExpected: () => false,
      send: (datagram) => sent.push(datagram),
      onConnected: () => {},
      onEnd: () => {},
    });
    const first = clientHello(0, Buffer.alloc(0));
    server.receive(first, 'one');
    expect(sent).toHaveLength(1);
    expect(sent[0]?.length).toBeLessThan(first.length);
    expect(sent[0]?.[13]).toBe(3);
    // Repetitions are answered ten times.
    for (let n = 0; n < 50; n++) server.receive(first, 'one');
    expect(sent).toHaveLength(11);
    expect(clock.pending).toBe(0);
  });
});
