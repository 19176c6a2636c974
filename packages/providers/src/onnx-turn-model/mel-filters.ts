/** A triangular filter over the bins of a power spectrum. */
interface MelFilter {
  /** First bin with a weight. */
  readonly from: number;
  readonly weights: Float64Array;
}

/** Slaney's scale of pitch: linear up to 1 kHz, logarithmic above it. */
const linearHzPerMel = 200 / 3;
const logFromHz = 1_000;
const logFromMel = logFromHz / linearHzPerMel;
const logStep = Math.log(6.4) / 27;

function toMel(hz: number): number {
  return hz < logFromHz ? hz / linearHzPerMel : logFromMel + Math.log(hz / logFromHz) / logStep;
}

function toHz(mel: number): number {
  return mel < logFromMel ? mel * linearHzPerMel : logFromHz * Math.exp(logStep * (mel - logFromMel));
}

/**
 * Returns filters from 0 Hz to half the sample rate, each with the area of one, for spectra of `size / 2 + 1` bins.
 * @see Slaney, Auditory Toolbox (1998), `MakeErbFilters`, `mfcc`; the filters of librosa and Whisper are the same
 */
export function createMelFilters(count: number, size: number, sampleRateHz: number): MelFilter[] {
  const highest = toMel(sampleRateHz / 2);
  const edges = Array.from({ length: count + 2 }, (_, i) => toHz((highest * i) / (count + 1)));
  return Array.from({ length: count }, (_, i) => {
    const [low, center, high] = edges.slice(i, i + 3) as [number, number, number];
    const weightOf = (bin: number): number => {
      const hz = (bin * sampleRateHz) / size;
      const slope = Math.min((hz - low) / (center - low), (high - hz) / (high - center));
      return (Math.max(0, slope) * 2) / (high - low);
    };
    const from = Math.ceil((low * size) / sampleRateHz);
    const to = Math.min(size / 2, Math.floor((high * size) / sampleRateHz));
    return { from, weights: Float64Array.from({ length: to - from + 1 }, (_, bin) => weightOf(from + bin)) };
  });
}
