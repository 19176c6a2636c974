import { describe, expect, it } from 'vitest';
import type { CodecName } from '../../src/codec/audio-codec.ts';
import { createEncoder } from '../../src/codec/create-codec.ts';
import { silentFrames } from '../../src/codec/frame.ts';
import { type LegEncoding, legAudio } from '../../src/codec/leg-encoding.ts';
import { decodeSamples, encodeSamples } from '../../src/codec/leg-samples.ts';
import type { RtpPacket } from '../../src/packet/rtp-packet.ts';
import { AudioReceiver } from '../../src/rtp/audio-receiver.ts';
import type { PayloadKind } from '../../src/rtp/payload-table.ts';

function packet(payload: Uint8Array): RtpPacket {
  return { marker: false, payloadType: 0, sequence: 0, timestamp: 0, ssrc: 1, payload };
}

function audio(codec: CodecName): PayloadKind {
  return { kind: 'audio', codec, clockRateHz: 8_000 };
}

function receiver(encoding: LegEncoding): { receiver: AudioReceiver; frames: (Uint8Array | null)[] } {
  const frames: (Uint8Array | null)[] = [];
  return { receiver: new AudioReceiver(encoding, null, (frame) => frames.push(frame?.slice() ?? null)), frames };
}

/** A frame of a tone of 500 Hz in a leg's encoding. */
function tone(encoding: LegEncoding, amplitude = 8_000): Uint8Array {
  const { frameSamples, sampleRateHz } = legAudio[encoding];
  const samples = Int16Array.from({ length: frameSamples }, (_, i) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * 500 * i) / sampleRateHz)),
  );
  return encodeSamples(encoding, samples);
}

function rms(encoding: LegEncoding, frame: Uint8Array | null | undefined): number {
  const samples = decodeSamples(encoding, frame ?? new Uint8Array(0));
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
}

describe('the audio receiver', () => {
  it.each(['pcmu', 'pcma', 'pcm16'] as const)('decodes every codec to frames of %s when it changes mid-call', (leg) => {
    const { receiver: received, frames } = receiver(leg);
    for (const codec of ['pcmu', 'pcma', 'g722', 'pcmu'] as const) {
      const encoder = createEncoder(codec, leg, null);
      for (let i = 0; i < 3; i++) {
        received.receive(packet(encoder?.encode(tone(leg))?.slice() ?? new Uint8Array(0)), audio(codec));
      }
      const last = frames.at(-1);
      expect(last?.length).toBe(legAudio[leg].frameBytes);
      expect(Math.abs(rms(leg, last) - 5_657)).toBeLessThan(600);
    }
    expect(frames).toHaveLength(12);
  });

  it('emits one frame of noise per comfort noise packet, also with an empty payload', () => {
    const { receiver: received, frames } = receiver('pcmu');
    received.receive(packet(Uint8Array.of(40)), { kind: 'noise' });
    received.receive(packet(new Uint8Array(0)), { kind: 'noise' });
    expect(frames.map((frame) => frame?.length)).toEqual([160, 160]);
    expect(rms('pcmu', frames[0])).toBeGreaterThan(rms('pcmu', frames[1]));
  });

  it('emits nothing for telephone events and empty payloads', () => {
    const { receiver: received, frames } = receiver('pcmu');
    received.receive(packet(Uint8Array.of(1, 10, 0, 160)), { kind: 'events', clockRateHz: 8_000 });
    received.receive(packet(new Uint8Array(0)), audio('pcmu'));
    received.receive(packet(new Uint8Array(0)), audio('g722'));
    expect(frames).toEqual([]);
  });

  it('conceals payloads that cannot be decoded as lost', () => {
    const { receiver: received, frames } = receiver('pcmu');
    received.receive(packet(tone('pcmu')), audio('pcmu'));
    received.receive(packet(tone('pcmu')), audio('opus'));
    received.receive(packet(new Uint8Array(2_000)), audio('g722'));
    expect(frames).toHaveLength(3);
    expect(rms('pcmu', frames[1])).toBeGreaterThan(1_000);
  });

  it('emits null once a loss is longer than concealment lasts', () => {
    const { receiver: received, frames } = receiver('pcma');
    received.receive(packet(tone('pcma')), audio('pcma'));
    received.lose(40_000);
    expect(frames).toHaveLength(11);
    expect(frames.slice(4)).toEqual(Array.from({ length: 7 }, () => null));
  });

  it('keeps no audio of the source before a restart', () => {
    const { receiver: received, frames } = receiver('pcmu');
    received.receive(packet(tone('pcmu').subarray(0, 100)), audio('pcmu'));
    received.restart();
    received.receive(packet(silentFrames.pcmu), audio('pcmu'));
    received.lose(1);
    expect(frames).toEqual([silentFrames.pcmu, silentFrames.pcmu]);
  });
});
