import { systemClock, systemRandom } from '@va/core/adapter';
import {
  type CodecName,
  decodeSamples,
  encodeSamples,
  encodingOf,
  forwardFrames,
  legAudio,
  loadOpus,
  offeredSuites,
  PortPool,
  RtpLeg,
  silentFrames,
} from '@va/media';
import { purity, tone } from '@va/test-servers/audio';
import { afterEach, describe, expect, it } from 'vitest';
import { RtpSession, type RtpSessionOptions } from '../../src/media/rtp-session.ts';
import { bodyOf } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

const opus = await loadOpus();
const legs: RtpLeg[] = [];

afterEach(() => {
  for (const leg of legs.splice(0)) leg.close();
});

async function sessionOf(options: Partial<Omit<RtpSessionOptions, 'leg'>> = {}): Promise<RtpSession<RtpLeg>> {
  const [address, random] = ['127.0.0.1', systemRandom];
  const ports = new PortPool({ min: 43_000, max: 43_998 }, random);
  const leg = await ports.open(address, (port) => RtpLeg.open({ clock: systemClock, random, address, opus, port }));
  legs.push(leg);
  return new RtpSession({ leg, codecs: ['pcmu'], address, random, ...options });
}

/** Offers, answers and accepts; returns the text of both descriptions. */
function agreeBetween(caller: RtpSession, called: RtpSession, change = (text: string): string => text): string[] {
  const offer = change(bodyOf({ body: caller.offer() }));
  const outcome = called.answer(new TextEncoder().encode(offer));
  if (!outcome.ok) return [offer];
  expect(caller.accept(outcome.answer)).toBe(true);
  return [offer, bodyOf({ body: outcome.answer })];
}

/** Sends half a second of a tone at call pace; returns what another leg receives, without its first 200 ms. */
async function heardOf(from: RtpLeg, to: RtpLeg, hertz = 600): Promise<Int16Array> {
  const spoken = encodingOf(from.format);
  const encoding = encodingOf(to.format);
  const { frameBytes, sampleRateHz } = legAudio[spoken];
  const heard: number[] = [];
  to.onFrame((frame) => heard.push(...decodeSamples(encoding, frame ?? silentFrames[encoding])));
  const { packets: before } = to.snapshot().received;
  const audio = encodeSamples(spoken, tone(500, hertz, 8_000, sampleRateHz));
  for (let at = 0; at < audio.length; at += frameBytes) {
    from.send(audio.subarray(at, at + frameBytes));
    await until(() => to.snapshot().received.packets - before > at / frameBytes, 'the packet arrives');
  }
  await until(() => heard.length >= 24 * legAudio[encoding].frameSamples, 'all of it is heard');
  return Int16Array.from(heard.slice(10 * legAudio[encoding].frameSamples));
}

describe('two legs of a call', () => {
  const codecs: readonly CodecName[] = ['pcmu', 'pcma', 'g722', ...(opus === null ? [] : (['opus'] as const))];

  it.each(codecs)('exchange audio with %s', async (name) => {
    const [caller, called] = [await sessionOf({ codecs: [name] }), await sessionOf({ codecs })];
    const [, answer] = agreeBetween(caller, called);
    expect(answer).toContain('m=audio');
    const { sampleRateHz } = caller.leg.format;
    expect(sampleRateHz).toBe(name === 'g722' || name === 'opus' ? 16_000 : 8_000);
    expect(purity(await heardOf(caller.leg, called.leg), 600, sampleRateHz)).toBeGreaterThan(0.97);
    expect(purity(await heardOf(called.leg, caller.leg), 600, sampleRateHz)).toBeGreaterThan(0.97);
    const digits: string[] = [];
    called.leg.onDtmf(({ digit, durationMs }) => digits.push(`${digit} ${durationMs}`));
    caller.leg.sendDtmf('7', 60);
    for (let i = 0; i < 10; i++) caller.leg.send(silentFrames[encodingOf(caller.leg.format)]);
    await until(() => digits.length > 0, 'the key is heard');
    expect(digits).toEqual(['7 60']);
  });

  it.each(codecs)('keep audio above the telephone band with %s only if that codec is wideband', async (name) => {
    const [caller, called] = [await sessionOf({ codecs: [name] }), await sessionOf({ codecs })];
    agreeBetween(caller, called);
    const { sampleRateHz } = called.leg.format;
    const heard = await heardOf(caller.leg, called.leg, sampleRateHz === 16_000 ? 6_000 : 2_000);
    if (sampleRateHz === 16_000) expect(purity(heard, 6_000, sampleRateHz)).toBeGreaterThan(0.9);
    else expect(purity(heard, 2_000)).toBeGreaterThan(0.97);
  });

  it.each([
    ['pcmu', 'g722'],
    ['g722', 'pcma'],
  ] as const)(
    'keep their format when a call moves from a phone with %s to one with %s and back',
    async (first, second) => {
      const called = await sessionOf({ codecs: [first, second] });
      const rateHz = first === 'g722' ? 16_000 : 8_000;
      for (const codec of [first, second, first]) {
        const phone = await sessionOf({ codecs: [codec] });
        agreeBetween(phone, called);
        expect([called.leg.agreement?.codec.name, called.leg.format.sampleRateHz]).toEqual([codec, rateHz]);
        expect(purity(await heardOf(phone.leg, called.leg), 600, rateHz)).toBeGreaterThan(0.97);
        const { sampleRateHz } = phone.leg.format;
        expect(purity(await heardOf(called.leg, phone.leg), 600, sampleRateHz)).toBeGreaterThan(0.97);
      }
    },
  );

  it.each([
    ['pcma', 'g722'],
    ['g722', 'pcmu'],
  ] as const)('are bridged from %s to %s, with one change of the rate', async (first, second) => {
    const [phone, near] = [await sessionOf({ codecs: [first] }), await sessionOf({ codecs })];
    const [far, other] = [await sessionOf({ codecs: [second] }), await sessionOf({ codecs })];
    agreeBetween(phone, near);
    agreeBetween(far, other);
    forwardFrames(near.leg, far.leg);
    const heard = await heardOf(phone.leg, other.leg);
    expect(purity(heard, 600, other.leg.format.sampleRateHz)).toBeGreaterThan(0.97);
  });

  it.each(offeredSuites)('exchange audio with %s, unreadable to others', async (suite) => {
    const caller = await sessionOf({ srtp: 'required', suites: [suite] });
    const called = await sessionOf();
    const [offer, answer] = agreeBetween(caller, called);
    expect(offer).toMatch(/RTP\/SAVP 0/);
    expect(answer).toMatch(/RTP\/SAVP 0/);
    expect(answer).toContain(`a=crypto:1 ${suite} inline:`);
    expect(purity(await heardOf(caller.leg, called.leg), 600)).toBeGreaterThan(0.97);
    expect(purity(await heardOf(called.leg, caller.leg), 600)).toBeGreaterThan(0.97);
    // After renegotiation the keys and the packet counters stay.
    agreeBetween(called, caller);
    expect(purity(await heardOf(caller.leg, called.leg), 600)).toBeGreaterThan(0.97);
    expect(called.leg.snapshot().received.packetsLost).toBe(0);
  });

  it.each([
    ['on one port', false, (text: string): string => text],
    ['on two ports', false, (text: string): string => text.replace('a=rtcp-mux\r\n', '')],
    ['on two ports, encrypted', true, (text: string): string => text.replace('a=rtcp-mux\r\n', '')],
  ])('report their reception to each other, %s', async (_, encrypted, change) => {
    const caller = await sessionOf({ srtp: encrypted ? 'required' : 'offered' });
    const called = await sessionOf();
    const [, answer] = agreeBetween(caller, called, change);
    expect(answer?.includes('a=rtcp-mux')).toBe(change('a=rtcp-mux\r\n') !== '');
    await heardOf(caller.leg, called.leg);
    expect(caller.leg.snapshot()).toMatchObject({ sent: { packets: 25, packetsLost: null }, roundTripMs: null });
    called.leg.close();
    await until(() => caller.leg.snapshot().sent.packetsLost !== null, 'the last report arrives');
    expect(caller.leg.snapshot().sent).toMatchObject({ packets: 25, packetsLost: 0 });
    expect(called.leg.snapshot().received).toMatchObject({ packets: 25, packetsLost: 0, packetsDropped: 0 });
  });

  it('do not agree when only one requires encryption', async () => {
    expect(agreeBetween(await sessionOf({ srtp: 'required' }), await sessionOf({ srtp: 'off' }))).toHaveLength(1);
    expect(agreeBetween(await sessionOf({ srtp: 'off' }), await sessionOf({ srtp: 'required' }))).toHaveLength(1);
  });

  it('encrypt by default when the signalling is encrypted', async () => {
    const [offer, answer] = agreeBetween(await sessionOf({ secureSignalling: true }), await sessionOf());
    expect(offer?.match(/a=crypto/g)).toHaveLength(5);
    expect(answer).toContain('a=crypto:1 AES_CM_128_HMAC_SHA1_80');
  });

  it('fail when the answer has a suite that was not offered', async () => {
    const caller = await sessionOf({ srtp: 'required', suites: ['AES_256_CM_HMAC_SHA1_80'] });
    const called = await sessionOf({ srtp: 'required' });
    caller.offer();
    const other = await sessionOf({ srtp: 'required', suites: ['AES_CM_128_HMAC_SHA1_80'] });
    const outcome = called.answer(other.offer());
    expect(outcome.ok && caller.accept(outcome.answer)).toBe(false);
  });
});
