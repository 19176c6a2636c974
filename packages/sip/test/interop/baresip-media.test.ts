import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@va/core/adapter';
import { loadOpus, RtpLeg, type SrtpSuiteName } from '@va/media';
import { fromWav, purity, toWav } from '@va/test-servers/audio';
import { type BaresipOptions, EchoHost, freePort, hasBaresip, runBaresip } from '@va/test-servers/sip-peers';
import { silentLogger } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { targetOf } from '../../src/dialog/dialog.ts';
import type { OutgoingEnd } from '../../src/dialog/invite/outgoing-invite.ts';
import { RtpSession } from '../../src/media/rtp-session.ts';
import { parseNameAddr } from '../../src/message/name-addr.ts';
import { type SipTelephony, sip } from '../../src/sip.ts';
import { UserAgent } from '../../src/user-agent.ts';
import { loopback } from '../support/loopback.ts';
import { until } from '../support/until.ts';

const opus = await loadOpus();
if (opus === null) console.warn('Opus is not tested with baresip: @discordjs/opus is not installed (npm run natives).');

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-baresip-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

/** Two seconds of a 500 Hz tone as a file, at any rate, identical in all channels. */
function toneFile(rateHz: number, channels = 1): Uint8Array {
  const samples = Int16Array.from(
    { length: 2 * rateHz * channels },
    (_, i) => 8_000 * Math.sin((2 * Math.PI * 500 * Math.floor(i / channels)) / rateHz),
  );
  return toWav(samples, rateHz, channels);
}

/** One second from the middle of a recording, at 8 kHz: samples in between do not affect a tone's purity. */
async function middleOf(path: string, rateHz: number, channels = 1): Promise<Int16Array> {
  const pcm = fromWav(await readFile(path));
  const every = (rateHz * channels) / 8_000;
  const start = channels * Math.floor(pcm.length / channels / 3);
  return Int16Array.from({ length: 6_000 }, (_, i) => pcm[start + i * every] ?? 0);
}

describe.skipIf(!hasBaresip())('baresip as caller', () => {
  let host: EchoHost;
  let telephony: SipTelephony;

  beforeEach(async () => {
    host = new EchoHost();
    telephony = sip({ listen: ['udp://127.0.0.1:0'], addresses: loopback });
    await telephony.start(host);
  });
  afterEach(async () => {
    await telephony.close();
  });

  async function callWith(rateHz: number, options: Partial<BaresipOptions>, channels = 1): Promise<Int16Array> {
    const wavPath = join(dir, 'say.wav');
    await writeFile(wavPath, toneFile(rateHz, channels));
    const [sipPort, rtpPort] = [await freePort(), await freePort()];
    const dial = `sip:+31201234567@127.0.0.1:${telephony.addresses[0]?.port}`;
    const phone = await runBaresip({ dir, name: 'alice', sipPort, rtpPort, wavPath, dial, ...options });
    try {
      await phone.child.waitFor(/packets: +\d+ +\d+/, 15_000);
    } finally {
      await phone.child.stop();
    }
    expect(host.lost).toBe(0);
    expect(host.frames).toBeGreaterThanOrEqual(90);
    return await middleOf((await phone.heardPath()) ?? '', rateHz, channels);
  }

  it('receives its echo with G.722', async () => {
    expect(purity(await callWith(16_000, { codecs: ['G722/16000/1'] }), 500)).toBeGreaterThan(0.97);
  });

  // Skipped where the library is not installed, because there is no binary for the platform and it could not be built.
  if (opus !== null) {
    it('receives its echo with Opus', async () => {
      expect(purity(await callWith(48_000, { codecs: ['opus/48000/2'] }, 2), 500)).toBeGreaterThan(0.9);
    });
  }

  it.each(['srtp', 'srtp-mand'] as const)('receives its encrypted echo (%s)', async (encryption) => {
    expect(purity(await callWith(8_000, { encryption }), 500)).toBeGreaterThan(0.97);
  });
});

describe.skipIf(!hasBaresip())('baresip as callee', () => {
  /** Calls it with only that suite; returns the outcome of the call and what both sides heard. */
  async function call(
    suite: SrtpSuiteName,
  ): Promise<{ reported: (string | OutgoingEnd)[]; frames: number; heard: Int16Array }> {
    const wavPath = join(dir, 'say.wav');
    await writeFile(wavPath, toneFile(8_000));
    const [sipPort, rtpPort] = [await freePort(), await freePort()];
    const phone = await runBaresip({ dir, name: 'bob', sipPort, rtpPort, wavPath, encryption: 'srtp' });
    const [clock, random, address] = [systemClock, systemRandom, '127.0.0.1'];
    const agent = await UserAgent.open({ clock, random, logger: silentLogger, listen: ['udp://127.0.0.1:0'] });
    const reported: (string | OutgoingEnd)[] = [];
    let frames = 0;
    try {
      await phone.child.waitFor(/ready/, 10_000);
      const uri = `sip:bob@127.0.0.1:${sipPort}`;
      const [target, from, to] = [targetOf(uri), parseNameAddr('<sip:ann@127.0.0.1>'), parseNameAddr(`<${uri}>`)];
      const flow = target && agent.flowTo(target);
      if (!flow || !from || !to) throw new Error('no flow to the peer');
      const leg = await RtpLeg.open({ clock, random, address });
      const media = new RtpSession({ leg, codecs: ['pcmu'], address, random, srtp: 'required', suites: [suite] });
      leg.onFrame((frame) => {
        if (frame === null) return;
        frames += 1;
        leg.send(frame);
      });
      const onEnd = (end: OutgoingEnd) => reported.push(end);
      agent.invite(
        { uri, from, to, flow, media },
        { onProgress() {}, onAnswered: () => reported.push('answered'), onEnd },
      );
      await until(() => reported.some((each) => typeof each !== 'string'), 'the call is over', 15_000);
    } finally {
      await phone.child.stop();
      await agent.destroy();
    }
    const path = await phone.heardPath();
    return { reported, frames, heard: path === null ? new Int16Array(0) : await middleOf(path, 8_000) };
  }

  it.each(['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32', 'AEAD_AES_128_GCM', 'AEAD_AES_256_GCM'] as const)(
    'receives its echo with %s',
    async (suite) => {
      const { reported, frames, heard } = await call(suite);
      expect(reported).toEqual(['answered', { cause: 'remote-hangup' }]);
      expect(frames).toBeGreaterThan(80);
      expect(purity(heard, 500)).toBeGreaterThan(0.97);
    },
  );

  it('is hung up when it answers with a suite that was not offered, so that no noise is heard', async () => {
    const { reported, frames } = await call('AES_256_CM_HMAC_SHA1_80');
    expect(reported).toEqual([{ cause: 'refused', status: 488, reason: expect.any(String) }]);
    expect(frames).toBe(0);
  });
});
