import { systemClock, systemRandom } from '@va/core/adapter';
import { type CodecName, decodeG711, encodeG711, loadOpus, offeredSuites, PortPool, RtpLeg } from '@va/media';
import { purity, tone } from '@va/test-servers/audio';
import { afterEach, describe, expect, it } from 'vitest';
import { RtpSession, type RtpSessionOptions } from '../../src/media/rtp-session.ts';
import { bodyOf } from '../support/raw-peer.ts';
import { pause, until } from '../support/until.ts';

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

/** Sends half a second of a tone at call pace; returns what the other leg receives. */
async function heardOf(from: RtpLeg, to: RtpLeg): Promise<Int16Array> {
  const { encoding: spoken } = from.format;
  const heard: number[] = [];
  const { encoding } = to.format;
  if (spoken === 'pcm16' || encoding === 'pcm16') throw new Error('A leg carries G.711.');
  to.onFrame((frame) => heard.push(...decodeG711(encoding, frame ?? new Uint8Array(160))));
  const codes = encodeG711(spoken, tone(500, 600));
  for (let at = 0; at < codes.length; at += 160) {
    from.send(codes.subarray(at, at + 160));
    await pause(2);
  }
  await until(() => heard.length >= codes.length, 'all of it is heard');
  return Int16Array.from(heard.slice(1_600));
}

describe('two legs of a call', () => {
  const codecs: readonly CodecName[] = ['pcmu', 'pcma', 'g722', ...(opus === null ? [] : (['opus'] as const))];

  it.each(codecs)('exchange audio with %s', async (name) => {
    const [caller, called] = [await sessionOf({ codecs: [name] }), await sessionOf({ codecs })];
    const [, answer] = agreeBetween(caller, called);
    expect(answer).toContain('m=audio');
    expect(purity(await heardOf(caller.leg, called.leg), 600)).toBeGreaterThan(0.97);
    expect(purity(await heardOf(called.leg, caller.leg), 600)).toBeGreaterThan(0.97);
    const digits: string[] = [];
    called.leg.onDtmf(({ digit, durationMs }) => digits.push(`${digit} ${durationMs}`));
    caller.leg.sendDtmf('7', 60);
    for (let i = 0; i < 10; i++) caller.leg.send(new Uint8Array(160).fill(0xff));
    await until(() => digits.length > 0, 'the key is heard');
    expect(digits).toEqual(['7 60']);
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
