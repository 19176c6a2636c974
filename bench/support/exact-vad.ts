import { loadSileroVad, type VadStream, type VoiceActivityDetector, type VoiceActivityStream } from '@va/media';

const silero = loadSileroVad();
/** A frame: what the caller's speech is exact to. */
const windowSamples = 160;
const loud = 500;
const unheard = new Int16Array(silero.windowSamples);
/** Used again: what is paid for is to be the network's work. */
const due: VadStream[] = [];
const unheards: Int16Array[] = [];

/** The level of each window is believed; the network is paid for as often as its own, longer windows are full. */
class ExactStream implements VoiceActivityStream {
  readonly network: VadStream = silero.createStream();
  #samples = 0;

  /** Whether the network's next window is full with this one. */
  fills(samples: Int16Array): boolean {
    this.#samples += samples.length;
    if (this.#samples < silero.windowSamples) return false;
    this.#samples -= silero.windowSamples;
    return true;
  }

  exact(samples: Int16Array): number {
    for (let i = 0; i < samples.length; i++) if (Math.abs(samples[i] as number) >= loud) return 1;
    return 0;
  }

  probability(samples: Int16Array): number {
    if (this.fills(samples)) this.network.probability(unheard);
    return this.exact(samples);
  }
}

/** A detector that is exact to the frame, so that no network's hangover is measured, but pays Silero's price. */
export function createDetector(): VoiceActivityDetector {
  return {
    windowSamples,
    createStream: () => new ExactStream(),
    judge(streams, windows, into) {
      due.length = 0;
      for (const [i, stream] of streams.entries()) {
        if (stream instanceof ExactStream && stream.fills(windows[i] ?? unheard)) due.push(stream.network);
      }
      while (unheards.length < due.length) unheards.push(unheard);
      silero.judge(due, unheards, into);
      for (const [i, stream] of streams.entries()) {
        if (stream instanceof ExactStream) into[i] = stream.exact(windows[i] ?? unheard);
      }
    },
  };
}
