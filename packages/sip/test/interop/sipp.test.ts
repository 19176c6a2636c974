import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeG711 } from '@va/media';
import { tone } from '@va/test-servers/audio';
import { EchoHost, freePort, hasSipp, runSipp, type SippOptions } from '@va/test-servers/sip-peers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SipTelephony, sip } from '../../src/sip.ts';
import { callScenario } from '../support/sipp-scenario.ts';

describe.skipIf(!hasSipp())('SIPp (Debian package sip-tester)', () => {
  let dir: string;
  let host: EchoHost;
  let telephony: SipTelephony;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'va-sipp-'));
    host = new EchoHost();
    // By default an untrusted source may have ten unacknowledged calls; 50 a second exceed that in a pause of 200 ms.
    const listen = ['udp://127.0.0.1:0', 'tcp://127.0.0.1:0'];
    telephony = sip({ listen, sourceGuard: { calls: 50 } });
    await telephony.start(host);
  });
  afterEach(async () => {
    await telephony.close();
    await rm(dir, { recursive: true, force: true });
  });

  async function run(options: Pick<SippOptions, 'scenario'> & Partial<SippOptions>): Promise<number> {
    const port = telephony.addresses.find((each) => each.transport === (options.transport ?? 'udp'))?.port;
    const [sipPort, rtpPort] = [await freePort(), await freePort()];
    const sipp = await runSipp({ dir, target: `127.0.0.1:${port}`, sipPort, rtpPort, ...options });
    const code = await sipp.exited;
    if (code !== 0) console.error(sipp.output.slice(-2_000));
    return code;
  }

  it.each(['udp', 'tcp'] as const)('makes fifty calls over %s with its built-in scenario', async (transport) => {
    expect(await run({ scenario: { name: 'uac' }, transport, calls: 50, callsPerSecond: 50 })).toBe(0);
    expect(host.ends).toHaveLength(50);
    expect(new Set(host.ends.map((end) => end.cause))).toEqual(new Set(['remote-hangup']));
  });

  it('streams a recording without a lost frame', async () => {
    await writeFile(join(dir, 'say.ul'), encodeG711('pcmu', tone(2_000)));
    const media = '<action><exec rtp_stream="say.ul,1,0,PCMU/8000"/></action>';
    expect(await run({ scenario: { xml: callScenario({ media, pauseMs: 2_200 }) } })).toBe(0);
    expect(host.lost).toBe(0);
    expect(host.frames).toBeGreaterThanOrEqual(98);
  });

  it.skipIf(process.getuid?.() !== 0).each([
    ['4', '/usr/share/sip-tester/dtmf_2833_4.pcap'],
    ['#', '/usr/share/sip-tester/dtmf_2833_pound.pcap'],
  ])('sends DTMF %s, which is reported once (raw sockets, root only)', async (digit, pcap) => {
    const media = `<action><exec play_pcap_audio="${pcap}"/></action>`;
    expect(await run({ scenario: { xml: callScenario({ media, pauseMs: 1_000 }) } })).toBe(0);
    expect(host.digits).toEqual([digit]);
  });
});
