/** Takes any loud sample for speech. */
export function createDetector() {
  return {
    windowSamples: 160,
    createStream: () => ({ probability: (window) => (window.some((sample) => Math.abs(sample) > 4_000) ? 1 : 0) }),
  };
}
