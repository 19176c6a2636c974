import { systemClock, systemRandom } from '@va/core/adapter';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCertificate } from '../../../src/server/webrtc/dtls/certificate.ts';
import { WebRtcPort } from '../../../src/server/webrtc/ice/web-rtc-port.ts';
import { acceptOffer, WebRtcConnection } from '../../../src/server/webrtc/web-rtc-connection.ts';
import { WeriftPeer } from './werift-peer.ts';

describe('WebRTC connection', () => {
  let port: WebRtcPort;
  let peer: WeriftPeer;
  const ends: string[] = [];

  beforeEach(async () => {
    ends.length = 0;
    port = await WebRtcPort.open({ clock: systemClock, address: '127.0.0.1', port: 0, tcp: true });
    peer = await WeriftPeer.create();
  });
  afterEach(async () => {
    await peer.close();
    await port.close();
  });

  function answer(offer: string): { connection: WebRtcConnection; connected: () => boolean } {
    let isConnected = false;
    const setup = {
      clock: systemClock,
      random: systemRandom,
      port,
      certificate: createCertificate(systemRandom),
      addresses: ['127.0.0.1'],
      codecs: ['pcmu'] as const,
      opus: null,
    };
    const connection = new WebRtcConnection(setup, 'pcmu', acceptOffer(setup, offer), {
      onConnected: () => {
        isConnected = true;
      },
      onEnd: (reason) => ends.push(reason),
    });
    return { connection, connected: () => isConnected };
  }

  it('carries audio in both directions to an independent client', async () => {
    const { connection, connected } = answer(peer.offer);
    await peer.accept(connection.answer);
    await vi.waitFor(() => expect(connected()).toBe(true), 8_000);
    const frames: number[] = [];
    connection.leg.onFrame((frame) => {
      if (frame !== null) frames.push(frame[0] ?? 0);
    });
    await vi.waitFor(() => {
      connection.leg.send(new Uint8Array(160).fill(0x20));
      peer.speak(0x31);
      expect(peer.heard.length).toBeGreaterThan(10);
      expect(frames.length).toBeGreaterThan(10);
    });
    expect(new Set(peer.heard)).toEqual(new Set([0x20]));
    expect(new Set(frames)).toEqual(new Set([0x31]));
    expect(connection.leg.snapshot().received.packetsLost).toBe(0);
    connection.close();
    expect(ends).toEqual([]);
  });

  it('ends when the certificate of the far end is not that of its offer', async () => {
    const forged = peer.offer.replace(/(a=fingerprint:sha-256 ).*/, `$1${'AB:'.repeat(31)}AB`);
    const { connection, connected } = answer(forged);
    await peer.accept(connection.answer);
    await vi.waitFor(() => expect(ends).toEqual(['the certificate is not that of the offer']), 8_000);
    expect(connected()).toBe(false);
  });
});
