import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { createCertificate } from '../../../src/server/webrtc/dtls/certificate.ts';
import { OfferError } from '../../../src/server/webrtc/sdp/offer.ts';
import { WebRtcAudio } from '../../../src/server/webrtc/web-rtc-audio.ts';
import type { WebRtcSetup } from '../../../src/server/webrtc/web-rtc-connection.ts';
import { chromiumOffer } from './offers.ts';

const certificate = createCertificate((count) => new Uint8Array(count).fill(5));

function setUp() {
  const clock = new VirtualClock();
  const users = new Set<{ ufrag: string }>();
  let seed = 0;
  const setup = {
    ...{ clock, certificate, addresses: ['127.0.0.1'], codecs: ['pcmu'], opus: null },
    random: (count: number) => {
      seed += 1;
      return new Uint8Array(count).fill(seed);
    },
    port: {
      ...{ port: 7_882, hasTcp: false },
      add: (user: { ufrag: string }) => users.add(user),
      remove: (user: { ufrag: string }) => users.delete(user),
    },
  } as unknown as WebRtcSetup;
  const events: string[] = [];
  const audio = new WebRtcAudio(setup, 'pcmu', {
    onConnected: () => events.push('connected'),
    onClosed: () => events.push('closed'),
    onFailed: (reason) => events.push(reason),
  });
  return { clock, users, events, audio };
}

describe('the WebRTC audio of a call', () => {
  it('neither sends nor has statistics before a connection is made', async () => {
    const { clock, audio } = setUp();
    audio.send(new Uint8Array(160));
    audio.sendDtmf('1', 100);
    await clock.advance(1_500);
    expect([audio.sending, audio.isConnected, audio.silentMs, await audio.statistics()]).toEqual([
      ...[false, false, 1_500],
      null,
    ]);
  });

  it('waits for each connection under a name of its own', () => {
    const { users, audio } = setUp();
    const first = audio.answer(chromiumOffer);
    const [before] = users;
    const second = audio.answer(chromiumOffer);
    expect(users.size).toBe(1);
    expect([...users]).not.toContain(before);
    expect(first).not.toBe(second);
  });

  it('reports a connection that is not made within 10 s', async () => {
    const { clock, users, events, audio } = setUp();
    audio.answer(chromiumOffer);
    await clock.advance(10_000);
    expect([events, users.size, clock.pending]).toEqual([['no connection was made'], 0, 0]);
  });

  it('reports nothing of a connection that another one replaced, or that was closed', async () => {
    const { clock, users, events, audio } = setUp();
    audio.answer(chromiumOffer);
    audio.answer(chromiumOffer);
    audio.close();
    audio.close();
    await clock.advance(60_000);
    expect([events, users.size, clock.pending]).toEqual([[], 0, 0]);
  });

  it('answers five offers at once, and one every 5 s afterwards', async () => {
    const { clock, audio } = setUp();
    for (let n = 0; n < 5; n += 1) audio.answer(chromiumOffer);
    expect(() => audio.answer(chromiumOffer)).toThrow(OfferError);
    await clock.advance(5_000);
    audio.answer(chromiumOffer);
    expect(() => audio.answer(chromiumOffer)).toThrow('too many offers');
    audio.close();
  });

  it('counts an offer that it refuses', () => {
    const { audio } = setUp();
    for (let n = 0; n < 5; n += 1) expect(() => audio.answer('nonsense')).toThrow('session description');
    expect(() => audio.answer('nonsense')).toThrow('too many offers');
  });
});
