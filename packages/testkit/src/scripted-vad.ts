import type { VoiceActivityDetector } from '@va/core';

/**
 * A detector that takes every 20 ms frame with a loud sample for speech: exact to the frame, so that tests and benches
 * measure the pipeline and not a network's hangover.
 */
export function levelVad(options: { readonly threshold?: number } = {}): VoiceActivityDetector {
  const { threshold = 500 } = options;
  return {
    windowSamples: 160,
    createStream: () => ({
      probability: (window) => (window.some((sample) => Math.abs(sample) >= threshold) ? 1 : 0),
    }),
  };
}
