import { purity, tone } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import type { CodecName } from '../../src/codec/audio-codec.ts';
import { createDecoder, createEncoder } from '../../src/codec/create-codec.ts';
import { decodeG711, encodeG711, type G711Encoding } from '../../src/codec/g711.ts';
import { loadOpus } from '../../src/codec/opus-codec.ts';

const opus = await loadOpus();
if (opus === null) console.warn('Opus is not tested: @discordjs/opus is not installed (npm run natives).');

/** Encodes and decodes a tone; returns the decoded samples and the number of encoded bytes. */
function throughTheWire(wire: CodecName, from: G711Encoding, to: G711Encoding): { heard: Int16Array; bytes: number } {
  const encoder = createEncoder(wire, from, opus);
  const decoder = createDecoder(wire, to, opus);
  if (encoder === null || decoder === null) throw new Error(`the codec ${wire} is not available`);
  const codes = encodeG711(from, tone(1_000, 600));
  const heard: number[] = [];
  let bytes = 0;
  for (let at = 0; at < codes.length; at += 160) {
    const payload = encoder.encode(codes.subarray(at, at + 160));
    bytes += payload.length;
    heard.push(...decodeG711(to, decoder.decode(payload.slice()) ?? new Uint8Array(0)));
  }
  return { heard: Int16Array.from(heard), bytes };
}

function level(pcm: Int16Array): number {
  return Math.sqrt(pcm.reduce((sum, sample) => sum + sample * sample, 0) / pcm.length);
}

const installed: readonly CodecName[] = ['pcmu', 'pcma', 'g722', ...(opus === null ? [] : (['opus'] as const))];

describe.each(installed)('%s', (wire) => {
  it.each(['pcmu', 'pcma'] as const)('transports a tone, with %s at the encoding side', (within) => {
    const { heard, bytes } = throughTheWire(wire, within, within === 'pcmu' ? 'pcma' : 'pcmu');
    expect(heard.length).toBe(8_000);
    expect(purity(heard.subarray(2_000), 600)).toBeGreaterThan(0.97);
    expect(level(heard.subarray(2_000)) / level(tone(1_000, 600))).toBeCloseTo(1, 0);
    expect(bytes).toBeLessThanOrEqual(8_000);
  });
});

describe('a decoder', () => {
  it('returns a G.711 payload unchanged when both sides use the same encoding', () => {
    const payload = new Uint8Array(160).fill(3);
    expect(createDecoder('pcma', 'pcma', null)?.decode(payload)).toBe(payload);
  });

  it('refuses or truncates payloads that are too long for speech', () => {
    expect(createDecoder('g722', 'pcmu', null)?.decode(new Uint8Array(60_000))).toBeNull();
    expect(createDecoder('pcmu', 'pcma', null)?.decode(new Uint8Array(60_000))?.length).toBe(1_600);
  });

  it('of Opus is null without its library', () => {
    expect([createDecoder('opus', 'pcmu', null), createEncoder('opus', 'pcmu', null)]).toEqual([null, null]);
  });

  it.each(installed)('of %s does not throw on malformed packets', (wire) => {
    const decoder = createDecoder(wire, 'pcmu', opus);
    for (const bytes of [[], [0xff], [0xff, 0xff, 0xff], [3, 0], Array.from({ length: 400 }, (_, i) => i & 0xff)]) {
      expect(() => decoder?.decode(Uint8Array.from(bytes))).not.toThrow();
    }
  });
});
