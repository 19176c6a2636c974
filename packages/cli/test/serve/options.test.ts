import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { flags } from '../../src/serve/flags.ts';
import { serveOptionsOf, serveUsage } from '../../src/serve/options.ts';
import { sipLines } from '../../src/serve/sip-lines.ts';
import { socketLines } from '../../src/serve/socket-telephony.ts';

// Embedding: `va serve` could set neither RTP ports nor TLS, registrations or media threads, and had no --help.
describe('the options of va serve', () => {
  it('are the defaults of sip() without arguments', () => {
    expect(serveOptionsOf([], {})).toEqual({
      host: '127.0.0.1',
      port: 8_080,
      sip: {
        listen: ['udp://0.0.0.0:5060', 'tcp://0.0.0.0:5060'],
        inbound: 'trunks',
        addresses: expect.anything(),
      },
      sockets: { carriers: [], web: null },
      trustedProxies: [],
      dataDir: './va-data',
      allowPrivateWebhooks: false,
      localSpeech: false,
    });
  });

  it('set everything that sip() has', () => {
    const dir = mkdtempSync(join(tmpdir(), 'va-tls-'));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    for (const name of ['cert', 'key', 'ca', 'cert2', 'key2']) writeFileSync(join(dir, name), `the ${name}`);
    const args = [
      ...['--sip', 'tls://0.0.0.0:5061', '--sip', 'udp://[::]:5060', '--inbound', 'open'],
      ...['--public-address', '203.0.113.10', '--dns-server', '192.0.2.53', '--trunk-check-seconds', '60'],
      ...['--trunk-network', '10.0.0.0/8', '--redirect-host', 'sbc.test'],
      ...['--tls-cert', join(dir, 'cert'), '--tls-key', join(dir, 'key'), '--tls-ca', join(dir, 'ca')],
      ...['--tls-name', `b.test=${join(dir, 'cert2')},${join(dir, 'key2')}`],
      ...['--sip-timers', '250,2000,2500', '--user-agent', 'Harbour PBX'],
      ...['--tls-client-certificates', 'required', '--tls-no-verify', '--no-source-guard'],
      ...['--rtp-ports', '20000-29998', '--rtp-address', '192.0.2.1', '--media-workers', '2'],
      ...['--media-timeout', '60', '--media-source', 'strict', '--allow-private-media'],
      ...['--codecs', 'opus, pcma', '--srtp', 'required'],
    ];
    const account = { address: 'pbx.test', username: 'va', password: 'secret', transport: 'tcp' };
    const env = { VA_SIP_REGISTRATIONS: JSON.stringify([account]), VA_SIP_TLS_PASSPHRASE: 'open' };
    const options = serveOptionsOf(args, env);
    expect(options?.mediaTimeoutSeconds).toBe(60);
    expect(options?.sip).toEqual({
      listen: ['tls://0.0.0.0:5061', 'udp://[::]:5060'],
      inbound: 'open',
      publicAddress: '203.0.113.10',
      dnsServers: ['192.0.2.53'],
      addresses: expect.anything(),
      redirectHosts: ['sbc.test'],
      trunkCheckMs: 60_000,
      tls: {
        cert: 'the cert',
        key: 'the key',
        passphrase: 'open',
        ca: 'the ca',
        names: { 'b.test': { cert: 'the cert2', key: 'the key2' } },
        clientCertificates: 'required',
        verify: false,
      },
      sourceGuard: false,
      timers: { t1Ms: 250, t2Ms: 2_000, t4Ms: 2_500 },
      userAgent: 'Harbour PBX',
      rtpPortRange: [20_000, 29_998],
      rtpAddress: '192.0.2.1',
      mediaWorkers: 2,
      mediaSource: 'strict',
      allowPrivateMedia: true,
      codecs: ['opus', 'pcma'],
      srtp: 'required',
      registrations: [account],
    });
  });

  it('are printed with --help, each one', () => {
    expect(serveOptionsOf(['--help'], {})).toBeNull();
    expect(serveOptionsOf(['-h', '--port', 'x'], {})).toBeNull();
    const missing = Object.keys(flags).filter((name) => name !== 'help' && !serveUsage.includes(`  --${name} `));
    expect(missing).toEqual([]);
    expect(serveUsage).toContain('VA_SIP_REGISTRATIONS');
  });

  it.each([
    [['--rtp-ports', '29998-20000'], '--rtp-ports'],
    [['--rtp-ports', '20000'], '--rtp-ports'],
    [['--port', '65536'], '--port'],
    [['--srtp', 'always'], 'offered, required, off'],
    [['--codecs', 'g729'], 'pcmu, pcma, g722, opus'],
    [['--inbound', 'all'], 'trunks, open'],
    [['--tls-cert', 'cert.pem'], '--tls-key'],
    [['--source-limit', 'requests'], 'NAME=VALUE'],
    [['--source-limit', 'packets=5'], 'requests, calls, requests-in-all'],
    [['--source-limit', 'calls=many'], 'a whole number'],
    [['--sip-timers', '500'], 'T1,T2,T4'],
    [['--tls-name', 'b.test=cert.pem'], 'HOST=CERT,KEY'],
    [['--carrier', 'acme', '--public-url', 'https://a.test'], 'twilio, telnyx, plivo, vonage'],
    [['--carrier', 'vonage=eu', '--public-url', 'https://a.test'], '--carrier eu is not a valid URL'],
    [['--carrier', 'twilio', '--carrier', 'twilio', '--public-url', 'https://a.test'], 'given twice'],
    [['--carrier', 'twilio'], '--public-url'],
    [['--web-calls'], '--public-url'],
    [['--web-calls', '--public-url', 'https://a.test', '--node-url', 'node-1'], '--node-url node-1 is not a valid URL'],
    [['--tls-cert', '/nowhere/a', '--tls-key', '/nowhere/b'], '/nowhere/a cannot be read'],
  ])('refuse %j and say what is accepted', (args, message) => {
    expect(() => serveOptionsOf(args, {})).toThrow(message);
  });

  it.each(['{', '{}', '[{"address":"pbx.test"}]', '[{"address":"a","username":"b","password":"hidden","user":"c"}]'])(
    'refuse the registrations %j without printing a password',
    (text) => {
      expect(() => serveOptionsOf([], { VA_SIP_REGISTRATIONS: text })).toThrow(/VA_SIP_REGISTRATIONS/);
      expect(() => serveOptionsOf([], { VA_SIP_REGISTRATIONS: text })).not.toThrow(/hidden/);
    },
  );
});

describe('the lines at start', () => {
  it('name the SIP addresses, the media ports and the accepted callers', () => {
    const address = { transport: 'udp' as const, address: '::', port: 5_060 };
    const options = { listen: [], inbound: 'open' as const, rtpPortRange: [20_000, 29_998] as const };
    expect(sipLines([address], options)).toEqual([
      'SIP  udp://[::]:5060',
      'RTP  UDP ports 20000 to 29998',
      'Calls are accepted from anybody (--inbound open): for trials only.',
    ]);
    expect(sipLines([], { listen: [] }).at(-1)).toContain('active SIP trunks only');
  });
});

it('the options of va serve exempt listed sources from the limits for untrusted sources', () => {
  const args = ['--trusted-source', '192.0.2.0/24', '--trusted-source', '192.0.2.7'];
  expect(serveOptionsOf(args, {})?.sip?.sourceGuard).toEqual({ trusted: ['192.0.2.0/24', '192.0.2.7'] });
});

it('the options of va serve set the limits for untrusted sources', () => {
  const limits = ['requests=50', 'calls=2', 'requests-in-all=1000', 'refusals=10', 'refusals-per-second=1'];
  const args = [...limits, 'trusted-minutes=5'].flatMap((limit) => ['--source-limit', limit]);
  expect(serveOptionsOf([...args, '--trusted-source', '192.0.2.7'], {})?.sip?.sourceGuard).toEqual({
    ...{ requests: 50, calls: 2, requestsInAll: 1_000, refusals: 10, refusalsPerSecond: 1, trustedMs: 300_000 },
    trusted: ['192.0.2.7'],
  });
  expect(serveOptionsOf([...args, '--no-source-guard'], {})?.sip?.sourceGuard).toBe(false);
});

it('the options of va serve add carriers and web calls, and disable SIP with --no-sip', () => {
  const args = [
    ...['--public-url', 'https://example.com/voice/', '--node-url', 'https://node-1.example.com/voice', '--no-sip'],
    ...['--carrier', 'twilio', '--carrier', 'vonage=https://api-eu-3.vonage.com'],
    ...['--web-origin', 'https://www.example.com', '--trusted-proxy', '10.0.0.0/8'],
  ];
  const options = serveOptionsOf(args, {});
  const publicUrl = 'https://node-1.example.com/voice';
  const sockets = {
    carriers: [
      { name: 'twilio', publicUrl },
      { name: 'vonage', publicUrl, apiUrl: 'https://api-eu-3.vonage.com' },
    ],
    web: { publicUrl, origins: ['https://www.example.com'] },
  };
  expect(options).toMatchObject({ sip: null, sockets, trustedProxies: ['10.0.0.0/8'] });
  expect(socketLines(options?.sockets ?? { carriers: [], web: null }, options?.publicUrl ?? '')).toEqual([
    'Webhook of twilio  https://example.com/voice/telephony/twilio/voice',
    'Webhook of vonage  https://example.com/voice/telephony/vonage/voice',
    'Script for pages  https://example.com/voice/va-web.js',
  ]);
});
