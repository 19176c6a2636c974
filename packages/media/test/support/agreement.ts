import { audioCodecs } from '../../src/codec/audio-codec.ts';
import type { Agreement } from '../../src/rtp/agreement.ts';

/** Unencrypted PCMU in both directions, without telephone events, with RTCP on the port of RTP. */
export function agreed(changes: Partial<Agreement> = {}): Agreement {
  return {
    mediaIndex: 0,
    codec: audioCodecs.pcmu,
    payloadType: 0,
    telephoneEventPayloadType: null,
    telephoneEventClockRateHz: 8_000,
    mappings: [],
    security: null,
    rtcp: { mux: true, port: 5_000 },
    remote: { address: '192.0.2.1', port: 5_000 },
    packetMs: 20,
    direction: 'sendrecv',
    ...changes,
  };
}
