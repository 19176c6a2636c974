import { describe, expect, it } from 'vitest';
import { parseFlags } from '../../src/serve/flags.ts';
import { sipLines } from '../../src/serve/sip-lines.ts';
import { sipOptionsOf } from '../../src/serve/sip-options.ts';

const sipOf = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  sipOptionsOf(parseFlags(args), env);

describe('sipOptionsOf', () => {
  it.each([
    ['--trunk-check-seconds', '0', { trunkCheckMs: 0 }],
    ['--trunk-check-seconds', '3600', { trunkCheckMs: 3_600_000 }],
    ['--media-workers', '0', { mediaWorkers: 0 }],
    ['--media-workers', '64', { mediaWorkers: 64 }],
    ['--rtp-ports', '1024-1025', { rtpPortRange: [1_024, 1_025] }],
    ['--rtp-ports', '20000-65535', { rtpPortRange: [20_000, 65_535] }],
    ['--sip-timers', '10,60000,5000', { timers: { t1Ms: 10, t2Ms: 60_000, t4Ms: 5_000 } }],
    ['--codecs', 'g722 ,pcmu', { codecs: ['g722', 'pcmu'] }],
    ['--source-limit', 'requests=0', { sourceGuard: { requests: 0 } }],
    ['--source-limit', 'trusted-minutes=1', { sourceGuard: { trustedMs: 60_000 } }],
    ['--media-source', 'latch', { mediaSource: 'latch' }],
    ['--tls-client-certificates', 'optional', { tls: { clientCertificates: 'optional' } }],
  ])('accepts %s %s', (option, value, expected) => {
    expect(sipOf([option, value])).toMatchObject(expected);
  });

  it.each([
    ['--trunk-check-seconds', '3601', 'from 0 to 3600'],
    ['--media-workers', '65', 'from 0 to 64'],
    ['--media-workers', '1.5', 'from 0 to 64'],
    ['--rtp-ports', '1023-2000', 'not a range of ports'],
    ['--rtp-ports', '20000-65536', 'not a range of ports'],
    ['--rtp-ports', '20000-20000', 'not a range of ports'],
    ['--rtp-ports', '20000 - 29998', 'not a range of ports'],
    ['--sip-timers', '9,4000,5000', 'from 10 to 60000'],
    ['--sip-timers', '500,4000,5000,1', 'expected T1,T2,T4'],
    ['--codecs', '', 'pcmu, pcma, g722, opus'],
    ['--codecs', 'pcmu,', 'pcmu, pcma, g722, opus'],
    ['--source-limit', 'requests=1000001', 'from 0 to 1000000'],
    ['--source-limit', 'requests=-1', 'from 0 to 1000000'],
    ['--media-source', 'open', 'latch, strict'],
    ['--tls-client-certificates', 'yes', 'none, optional, required'],
    ['--tls-key', 'key.pem', 'belong together'],
    ['--tls-name', 'a.test=c,k,more', 'expected HOST=CERT,KEY'],
    ['--trunk-network', 'not an address', 'not an address'],
  ])('refuses %s %s', (option, value, message) => {
    expect(() => sipOf([option, value])).toThrow(message);
  });

  it('uses the last of several limits with the same name', () => {
    const args = ['--source-limit', 'calls=2', '--source-limit', 'calls=5'];
    expect(sipOf(args).sourceGuard).toEqual({ calls: 5 });
  });

  it('has TLS settings only with a TLS option', () => {
    expect(sipOf([])).not.toHaveProperty('tls');
    expect(sipOf(['--tls-no-verify']).tls).toEqual({ verify: false });
    expect(sipOf([], { VA_SIP_TLS_PASSPHRASE: 'open' }).tls).toEqual({ passphrase: 'open' });
  });

  it('allows trunks only in the networks of --trunk-network', () => {
    const { addresses } = sipOf(['--trunk-network', '10.1.0.0/16']);
    expect(addresses?.allows('10.1.2.3')).toBe(true);
    expect(addresses?.allows('10.2.2.3')).toBe(false);
  });
});

describe('sipLines', () => {
  const listening = { transport: 'tls' as const, address: '0.0.0.0', port: 5_061 };

  it('name the address outside of a NAT and the accounts that are registered', () => {
    const registrations = [{ address: 'pbx.test', username: 'va', password: 'hidden' }];
    expect(sipLines([listening], { listen: [], publicAddress: '203.0.113.10', registrations })).toEqual([
      'SIP  tls://0.0.0.0:5061, reached at 203.0.113.10',
      'RTP  any free UDP ports',
      'SIP  registers va at pbx.test',
      'Calls are accepted from active SIP trunks only (--inbound trunks).',
    ]);
  });

  it('never contain a password', () => {
    const registrations = [{ address: 'pbx.test', username: 'va', password: 'hidden' }];
    expect(sipLines([listening], { listen: [], registrations }).join('\n')).not.toContain('hidden');
  });
});
