import type { RemoteInfo } from 'node:dgram';
import { describe, expect, it } from 'vitest';
import type { MediaTrust } from '../../src/rtp/media-trust.ts';
import { SourceLatch } from '../../src/rtp/source-latch.ts';
import type { Endpoint } from '../../src/runtime/endpoint.ts';

const named = { address: '192.0.2.1', port: 4_000 };
const otherPort = { address: '192.0.2.1', port: 4_002 };
const signalling = { address: '198.51.100.1', port: 7_000 };
const far = { address: '203.0.113.1', port: 9_000 };

const trustOf = (changes: Partial<MediaTrust> = {}): MediaTrust => ({
  mode: 'latch',
  signalling: null,
  isNatPlausible: false,
  unheard: 'allowed',
  ...changes,
});

/** A latch that receives a packet every 20 ms. */
class Stream {
  readonly latch: SourceLatch;
  nowMs = 0;
  #sequence = 65_530;

  constructor(trust: Partial<MediaTrust> = {}, isAuthenticated = false) {
    this.latch = new SourceLatch(named, 0, trustOf(trust), isAuthenticated);
  }

  /** Receives up to `count` packets from `source`; returns how many are refused before the first accepted one. */
  refusedBeforeFirst(source: Endpoint, count: number, ssrc = 1): number {
    for (let i = 0; i < count; i++) {
      this.nowMs += 20;
      this.#sequence = (this.#sequence + 1) & 0xffff;
      const packet = { marker: false, payloadType: 0, timestamp: 0, payload: new Uint8Array(0) };
      const from: RemoteInfo = { ...source, family: 'IPv4', size: 0 };
      if (this.latch.accepts({ ...packet, sequence: this.#sequence, ssrc }, from, this.nowMs)) return i;
    }
    return count;
  }
}

describe('SourceLatch', () => {
  it.each([
    ['the address and port of the SDP', named, {}, 0],
    ['another port of the SDP address', otherPort, {}, 24],
    ['the address of the signalling', signalling, { signalling: signalling.address }, 24],
    ['another address if a NAT is plausible', far, { isNatPlausible: true }, 24],
    ['another address if the SDP address is unreachable', far, { isNatPlausible: true, unheard: 'withheld' }, 2],
    ['another address', far, {}, 100],
    ['another port in strict mode', otherPort, { mode: 'strict' }, 100],
    ['the address and port of the SDP in strict mode', named, { mode: 'strict' }, 0],
  ] satisfies [string, Endpoint, Partial<MediaTrust>, number][])(
    'accepts or refuses packets from %s',
    (_, source, trust, refused) => {
      const stream = new Stream(trust);
      expect(stream.refusedBeforeFirst(source, 100)).toBe(refused);
      expect(stream.latch.remote).toEqual(refused === 100 ? named : source);
    },
  );

  it('accepts another address for encrypted media, whose sender has the key', () => {
    expect(new Stream({}, true).refusedBeforeFirst(far, 100)).toBe(24);
  });

  it('returns to the source in the SDP as soon as it sends', () => {
    const stream = new Stream({ isNatPlausible: true });
    stream.refusedBeforeFirst(far, 100);
    expect(stream.refusedBeforeFirst(named, 1, 2)).toBe(0);
    expect(stream.latch.remote).toEqual(named);
  });

  it('follows a stream to another address once the old one is silent for 500 ms', () => {
    const stream = new Stream({ isNatPlausible: true });
    stream.refusedBeforeFirst(named, 1);
    expect(stream.refusedBeforeFirst(far, 100)).toBe(26);
    expect(stream.latch.remote).toEqual(far);
  });

  it('never follows another stream to a far address', () => {
    const stream = new Stream({ isNatPlausible: true });
    stream.refusedBeforeFirst(named, 1);
    expect(stream.refusedBeforeFirst(far, 500, 2)).toBe(500);
  });

  it('accepts another stream of the SDP address after five seconds of silence', () => {
    const stream = new Stream();
    stream.refusedBeforeFirst(named, 1);
    expect(stream.refusedBeforeFirst(otherPort, 400, 2)).toBe(249);
  });

  it('refuses the source that a new SDP has replaced', () => {
    const stream = new Stream({ isNatPlausible: true });
    stream.refusedBeforeFirst(named, 1);
    stream.latch.expect({ address: '192.0.2.50', port: 5_000 }, stream.nowMs);
    expect(stream.refusedBeforeFirst(named, 500)).toBe(500);
    expect(stream.latch.remote).toEqual({ address: '192.0.2.50', port: 5_000 });
  });

  it('accepts a replaced source again when a later SDP names it', () => {
    const stream = new Stream();
    stream.refusedBeforeFirst(named, 1);
    stream.latch.expect(far, stream.nowMs);
    stream.latch.expect(named, stream.nowMs);
    expect(stream.refusedBeforeFirst(named, 1)).toBe(0);
  });

  it('refuses a source that sent before it could know the port', () => {
    const stream = new Stream();
    stream.latch.refuse(otherPort);
    expect(stream.refusedBeforeFirst(otherPort, 100)).toBe(100);
  });

  describe('before a packet has arrived', () => {
    const sentOf = (latch: SourceLatch, packets: number): number =>
      Array.from({ length: packets }, () => latch.maySend()).filter(Boolean).length;

    it.each([
      ['allowed', 1_000, true],
      // Two seconds of audio, and one packet in fifty from then on.
      ['limited', 118, true],
      ['withheld', 0, false],
    ] as const)('sends and reports as its trust says: %s', (unheard, sent, mayReport) => {
      const { latch } = new Stream({ unheard });
      expect(sentOf(latch, 1_000)).toBe(sent);
      expect(latch.mayReport).toBe(mayReport);
    });

    it.each(['limited', 'withheld'] as const)('may send without a limit after a packet: %s before', (unheard) => {
      const stream = new Stream({ unheard });
      sentOf(stream.latch, 200);
      stream.refusedBeforeFirst(named, 1);
      expect(sentOf(stream.latch, 1_000)).toBe(1_000);
      expect(stream.latch.mayReport).toBe(true);
    });

    it('may send without a limit after a report from the SDP address, and from no other', () => {
      const { latch } = new Stream({ unheard: 'limited' });
      latch.heardRtcp(far.address);
      expect(sentOf(latch, 1_000)).toBe(118);
      latch.heardRtcp(named.address);
      expect(sentOf(latch, 1_000)).toBe(1_000);
    });
  });

  it('accepts RTCP from the address that media is sent to, on any port', () => {
    const stream = new Stream({ isNatPlausible: true });
    expect(stream.latch.acceptsRtcp(named.address)).toBe(true);
    expect(stream.latch.acceptsRtcp(far.address)).toBe(false);
    stream.refusedBeforeFirst(far, 100);
    expect(stream.latch.acceptsRtcp(named.address)).toBe(false);
    expect(stream.latch.acceptsRtcp(far.address)).toBe(true);
  });
});
