import { loadSileroVad, type VoiceActivityDetector } from '@va/core';
import { levelVad } from '@va/testkit';

/** A detector that is exact to the frame, so that no network's hangover is measured, but pays Silero's price for each window. */
export function exactVadAtSilerosCost(): VoiceActivityDetector {
  const level = levelVad();
  const silero = loadSileroVad();
  return {
    windowSamples: level.windowSamples,
    createStream() {
      const exact = level.createStream();
      const network = silero.createStream();
      const window = new Int16Array(silero.windowSamples);
      return {
        probability(samples) {
          network.probability(window);
          return exact.probability(samples);
        },
      };
    },
  };
}
