import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaLeg } from '@va/core/adapter';
import { tone, toWav } from '@va/test-servers/audio';
import { type Baresip, freePort, hasBaresip, runBaresip } from '@va/test-servers/sip-peers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SipTelephony, sip } from '../../src/sip.ts';
import { AnsweringHost } from '../support/answering-host.ts';
import { loopback } from '../support/loopback.ts';
import { until } from '../support/until.ts';

const timeoutMs = 10_000;

/** baresip calls the agent, then executes the commands that a user would type. */
describe.skipIf(!hasBaresip())('user of baresip (Debian package baresip-core)', () => {
  let dir: string;
  let host: AnsweringHost;
  let telephony: SipTelephony;
  let phone: Baresip;
  let leg: MediaLeg;
  let frames: number;
  let digits: string[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'va-baresip-'));
    [host, frames, digits] = [new AnsweringHost(), 0, []];
    telephony = sip({ listen: ['udp://127.0.0.1:0'], addresses: loopback, inbound: 'open' });
    await telephony.start(host);
    const wavPath = join(dir, 'say.wav');
    await writeFile(wavPath, toWav(tone(30_000)));
    const answered = host.answered();
    phone = await runBaresip({
      dir,
      name: 'ann',
      wavPath,
      sipPort: await freePort(),
      rtpPort: await freePort(),
      dial: `sip:+31201234567@127.0.0.1:${telephony.addresses[0]?.port}`,
    });
    leg = await (await answered).leg;
    leg.onFrame((frame) => {
      if (frame !== null) frames += 1;
      leg.send(new Uint8Array(160).fill(0xff));
    });
    leg.onDtmf(({ digit }) => digits.push(digit));
    await until(() => frames > 20, 'it is heard', timeoutMs);
  });
  afterEach(async () => {
    await phone.child.stop();
    await telephony.close();
    await rm(dir, { recursive: true, force: true });
  });

  async function staysHeard(): Promise<void> {
    const before = frames;
    await until(() => frames > before + 20, 'it is heard on', timeoutMs);
  }

  it('puts the call on hold and resumes it', async () => {
    phone.child.write('/hold\n');
    await phone.child.waitFor(/a=sendonly[\s\S]*SIP\/2\.0 200[\s\S]*a=recvonly/, timeoutMs);
    expect([leg.sending, leg.receiving]).toEqual([false, true]);
    phone.child.write('/resume\n');
    await phone.child.waitFor(/a=recvonly[\s\S]*a=sendrecv[\s\S]*SIP\/2\.0 200[\s\S]*a=sendrecv/, timeoutMs);
    expect(leg.sending).toBe(true);
    await staysHeard();
    expect(host.ends).toEqual([]);
  });

  it('sends DTMF digits, each of which is reported once', async () => {
    for (const [index, digit] of ['5', '#', '5'].entries()) {
      phone.child.write(digit);
      await until(() => digits.length > index, 'the digit is reported', timeoutMs);
    }
    await staysHeard();
    expect(digits).toEqual(['5', '#', '5']);
  });

  it('is transferred by REFER, and calls the target', async () => {
    const [other, destination] = [
      new AnsweringHost(),
      sip({ listen: ['udp://127.0.0.1:0'], addresses: loopback, inbound: 'open' }),
    ];
    await destination.start(other);
    try {
      const taken = other.answered();
      const outcome = leg.transfer?.({
        destination: `sip:bob@127.0.0.1:${destination.addresses[0]?.port}`,
        mode: 'blind',
        keysOnAnswer: null,
        summary: null,
        signal: new AbortController().signal,
      });
      await (await taken).leg;
      expect(await outcome).toEqual({ type: 'accepted' });
    } finally {
      await phone.child.stop();
      await destination.close();
    }
  });

  it('requests a transfer by REFER, is rejected, and hangs up', async () => {
    phone.child.write('/transfer sip:bob@127.0.0.1:5999\n');
    await phone.child.waitFor(/transfer failed: 603/, timeoutMs);
    await until(() => host.ends.length > 0, 'it hangs up', timeoutMs);
    expect(host.ends).toEqual([{ cause: 'remote-hangup' }]);
  });
});
