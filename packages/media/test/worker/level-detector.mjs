/** Treats any loud sample as speech. */
export function createDetector() {
  return {
    windowSamples: 160,
    createStream: () => ({ probability: (window) => (window.some((sample) => Math.abs(sample) > 4_000) ? 1 : 0) }),
  };
}
