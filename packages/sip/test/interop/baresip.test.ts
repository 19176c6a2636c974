import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromWav, purity, tone, toWav } from '@va/test-servers/audio';
import { EchoHost, freePort, hasBaresip, runBaresip } from '@va/test-servers/sip-peers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SipTelephony, sip } from '../../src/sip.ts';
import { AnsweringHost } from '../support/answering-host.ts';
import { authority, loopbackIdentity, otherIdentity } from '../support/certificates.ts';
import { loopback } from '../support/loopback.ts';

describe.skipIf(!hasBaresip())('baresip (Debian package baresip-core)', () => {
  let dir: string;
  let host: EchoHost;
  let telephony: SipTelephony;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'va-baresip-'));
    host = new EchoHost();
    const listen = ['udp', 'tcp', 'tls'].map((transport) => `${transport}://127.0.0.1:0`);
    telephony = sip({ listen, addresses: loopback, tls: loopbackIdentity });
    await telephony.start(host);
  });
  afterEach(async () => {
    await telephony.close();
    await rm(dir, { recursive: true, force: true });
  });

  it.each([
    ['udp', 'PCMU/8000/1', 500],
    ['tcp', 'PCMA/8000/1', 700],
    ['tls', 'PCMU/8000/1', 600],
  ] as const)('is answered over %s with %s and receives the echo of its tone', async (transport, codec, hertz) => {
    const wavPath = join(dir, 'say.wav');
    const tls = { certificatePath: join(dir, 'phone.pem'), caPath: join(dir, 'ca.pem') };
    await writeFile(tls.certificatePath, `${otherIdentity.cert}${otherIdentity.key}`);
    await writeFile(tls.caPath, authority);
    await writeFile(wavPath, toWav(tone(2_000, hertz)));
    const port = telephony.addresses.find((each) => each.transport === transport)?.port;
    const [sipPort, rtpPort] = [await freePort(), await freePort()];
    const dial = `sip:+31201234567@127.0.0.1:${port}`;
    const phone = await runBaresip({
      dir,
      name: 'alice',
      sipPort,
      rtpPort,
      wavPath,
      dial,
      transport,
      codecs: [codec],
      ...(transport === 'tls' ? { tls } : {}),
    });
    // The two columns are the packets sent and received.
    const packets = /packets: +\d+ +(\d+)/;
    try {
      await phone.child.waitFor(packets, 15_000);
    } finally {
      await phone.child.stop();
    }
    const heard = fromWav(await readFile((await phone.heardPath()) ?? ''));
    const second = heard.subarray(4_000, 12_000);
    expect(host.calls[0]?.to.number).toBe('+31201234567');
    expect(host.ends).toEqual([{ cause: 'remote-hangup' }]);
    expect(host.lost).toBe(0);
    expect(host.frames).toBeGreaterThanOrEqual(95);
    expect(Number(packets.exec(phone.child.output)?.[1])).toBeGreaterThanOrEqual(95);
    // The recording has only what was played: when the call ends, up to 200 ms are still in the jitter buffer.
    expect(second.length).toBe(8_000);
    expect(purity(second, hertz)).toBeGreaterThan(0.98);
  });
});

describe.skipIf(!hasBaresip())('DTMF sent to baresip', () => {
  it('arrives with one start and one end per digit', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'va-baresip-'));
    const host = new AnsweringHost();
    const telephony = sip({ listen: ['udp://127.0.0.1:0'], addresses: loopback });
    await telephony.start(host);
    const answered = host.answered();
    const wavPath = join(dir, 'say.wav');
    await writeFile(wavPath, toWav(tone(6_000)));
    const [sipPort, rtpPort] = [await freePort(), await freePort()];
    const dial = `sip:+31201234567@127.0.0.1:${telephony.addresses[0]?.port}`;
    const phone = await runBaresip({ dir, name: 'bob', sipPort, rtpPort, wavPath, dial });
    try {
      const leg = await (await answered).leg;
      leg.onFrame(() => leg.send(new Uint8Array(160).fill(0xff)));
      leg.sendDtmf?.('4#2', 100);
      await phone.child.waitFor(/received event: '2' \(end=1\)/, 15_000);
      const events = [...phone.child.output.matchAll(/received event: '(.)' \(end=(.)\)/g)];
      expect(events.map(([, digit, end]) => `${digit}${end === '1' ? ' ends' : ''}`)).toEqual(
        ['4', '#', '2'].flatMap((digit) => [digit, `${digit} ends`]),
      );
    } finally {
      await phone.child.stop();
      await telephony.close();
      await rm(dir, { recursive: true, force: true });
    }
  });
});
