import { loadSileroVad, type VadStream, type VoiceActivityDetector, type VoiceActivityStream } from '@va/media';

const silero = loadSileroVad();
/** One frame, the precision of the caller's speech. */
const windowSamples = 160;
const loud = 500;
const unheard = new Int16Array(silero.windowSamples);
/** Reused, so that only the network's work is measured. */
const due: VadStream[] = [];
const unheards: Int16Array[] = [];

/** Judges each frame by its level, and runs the network whenever one of its longer windows is full. */
class ExactStream implements VoiceActivityStream {
  readonly network: VadStream = silero.createStream();
  #samples = 0;

  /** Returns true if this frame completes the network's window. */
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

/** Creates a detector that is exact to the frame, without the network's hangover, at the cost of Silero. */
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
