import type { CodecName } from '../codec/audio-codec.ts';
import { createDecoder } from '../codec/create-codec.ts';
import { type LegEncoding, legAudio } from '../codec/leg-encoding.ts';
import type { OpusLibrary } from '../codec/opus-codec.ts';
import type { SpeechDecoder } from '../codec/speech-codec.ts';
import { ComfortNoise } from '../dsp/comfort-noise.ts';
import { Concealment } from '../dsp/concealment.ts';
import type { RtpPacket } from '../packet/rtp-packet.ts';
import { FrameAssembler } from './frame-assembler.ts';
import type { PayloadKind } from './payload-table.ts';

/**
 * Converts ordered packets of any codec to 20 ms frames. Lost frames are concealed; null stands for lost frames that
 * cannot be concealed.
 */
export class AudioReceiver {
  readonly #encoding: LegEncoding;
  readonly #opus: OpusLibrary | null;
  readonly #assembler: FrameAssembler;
  readonly #concealment: Concealment;
  readonly #noise: ComfortNoise;
  /** One decoder per codec that the source has used; null if it cannot be decoded. */
  readonly #decoders = new Map<CodecName, SpeechDecoder | null>();

  constructor(encoding: LegEncoding, opus: OpusLibrary | null, onFrame: (frame: Uint8Array | null) => void) {
    this.#encoding = encoding;
    this.#opus = opus;
    this.#noise = new ComfortNoise(encoding);
    this.#concealment = new Concealment(encoding);
    this.#assembler = new FrameAssembler(legAudio[encoding].frameBytes, (frame) => {
      onFrame(frame === null ? this.#concealment.lost() : this.#concealment.received(frame));
    });
  }

  receive(packet: RtpPacket, kind: PayloadKind): void {
    if (kind.kind === 'noise') this.#assembler.push(this.#noise.frame(packet.payload));
    else if (kind.kind === 'audio') {
      const audio = this.#decoderFor(kind.codec)?.decode(packet.payload) ?? null;
      if (audio === null) this.#assembler.lose(1);
      else this.#assembler.push(audio);
    }
  }

  lose(packets: number): void {
    this.#assembler.lose(packets);
  }

  /** Resets the state after a change of the source. */
  restart(): void {
    this.#assembler.reset();
    this.#concealment.reset();
    this.#decoders.clear();
  }

  #decoderFor(codec: CodecName): SpeechDecoder | null {
    let decoder = this.#decoders.get(codec);
    if (decoder === undefined) {
      decoder = createDecoder(codec, this.#encoding, this.#opus);
      this.#decoders.set(codec, decoder);
    }
    return decoder;
  }
}
