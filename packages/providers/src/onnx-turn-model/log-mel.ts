import { doubleRate } from './double-rate.ts';
import { FourierTransform, transformSize } from './fourier.ts';
import { createMelFilters } from './mel-filters.ts';

const sampleRateHz = 16_000;
/** 8 s of audio. */
const audioSamples = 128_000;
const hopSamples = 160;
const melBands = 80;
const frames = audioSamples / hopSamples;
const halfWindow = transformSize / 2;
const bins = halfWindow + 1;
/** Avoids a division by zero for silence. */
const varianceFloor = 1e-7;
const powerFloor = 1e-10;
/** Range below the loudest value, in powers of ten. */
const range = 8;

/** Shape of the features: a batch of one, bands, frames of 10 ms. */
export const featureShape = [1, melBands, frames] as const;

/**
 * Computes the input of Smart Turn v3: the log-mel spectrogram of Whisper over 8 s of audio at 16 kHz. Shorter audio is
 * preceded by silence, of longer audio the end is used. The waveform is normalized to zero mean and unit variance, cut
 * into Hann windows of 25 ms every 10 ms, and reduced to 80 mel bands; their logarithms are limited to a range of 80 dB
 * and scaled to about -1 to 1. Reuses its buffers.
 * @see https://github.com/pipecat-ai/smart-turn
 * @see https://huggingface.co/docs/transformers/model_doc/whisper (`WhisperFeatureExtractor`)
 */
export class LogMelFeatures {
  /** The waveform with a reflected half window at each end. */
  readonly #padded: Float64Array = new Float64Array(audioSamples + transformSize);
  readonly #window: Float64Array = Float64Array.from(
    { length: transformSize },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / transformSize),
  );
  readonly #filters = createMelFilters(melBands, transformSize, sampleRateHz);
  readonly #fourier = new FourierTransform();
  readonly #powers = [new Float64Array(bins), new Float64Array(bins)] as const;

  /**
   * Returns the features, band by band.
   * @throws RangeError if the rate is neither 8 nor 16 kHz
   */
  compute(samples: Int16Array, rateHz: number): Float32Array {
    const audio = atFeatureRate(samples, rateHz);
    const silentSamples = audioSamples - audio.length;
    this.#normalize(audio, silentSamples);
    const features = new Float32Array(melBands * frames);
    // The frames of the silence at the beginning are all the same.
    const same = Math.max(0, Math.floor((silentSamples - halfWindow) / hopSamples));
    for (let frame = same; frame < frames; frame += 2) this.#analyze(frame, features);
    for (let band = 0; band < melBands; band++) {
      features.fill(features[band * frames + same] as number, band * frames, band * frames + same);
    }
    return scaled(features);
  }

  #normalize(audio: Int16Array | Float64Array, silentSamples: number): void {
    let sum = 0;
    let squares = 0;
    for (const sample of audio) {
      sum += sample;
      squares += sample * sample;
    }
    const fullScale = 32_768;
    const mean = sum / fullScale / audioSamples;
    const variance = squares / fullScale / fullScale / audioSamples - mean * mean;
    const scale = 1 / Math.sqrt(variance + varianceFloor);
    const padded = this.#padded;
    padded.fill(-mean * scale, halfWindow, halfWindow + silentSamples);
    const from = halfWindow + silentSamples;
    for (let i = 0; i < audio.length; i++) {
      padded[from + i] = ((audio[i] as number) / fullScale - mean) * scale;
    }
    const last = halfWindow + audioSamples - 1;
    for (let i = 1; i <= halfWindow; i++) {
      padded[halfWindow - i] = padded[halfWindow + i] as number;
      padded[last + i] = padded[last - i] as number;
    }
  }

  /** Analyzes a frame and the next one, as the real and imaginary part of one transform. */
  #analyze(frame: number, features: Float32Array): void {
    const fourier = this.#fourier;
    const first = frame * hopSamples;
    // An odd frame at the end has no second one: it is paired with itself.
    const second = Math.min(frame + 1, frames - 1) * hopSamples;
    for (let i = 0; i < transformSize; i++) {
      const weight = this.#window[i] as number;
      fourier.real[i] = (this.#padded[first + i] as number) * weight;
      fourier.imaginary[i] = (this.#padded[second + i] as number) * weight;
    }
    fourier.transform();
    this.#separate();
    this.#filter(this.#powers[0], frame, features);
    this.#filter(this.#powers[1], second / hopSamples, features);
  }

  /** Separates the power spectra of two real signals by the symmetry of their transforms. */
  #separate(): void {
    const { real, imaginary } = this.#fourier;
    const [first, second] = this.#powers;
    for (let bin = 0; bin < bins; bin++) {
      const mirrored = (transformSize - bin) % transformSize;
      const zr = real[bin] as number;
      const zi = imaginary[bin] as number;
      const mr = real[mirrored] as number;
      const mi = imaginary[mirrored] as number;
      first[bin] = quarterSquare(zr + mr) + quarterSquare(zi - mi);
      second[bin] = quarterSquare(zi + mi) + quarterSquare(mr - zr);
    }
  }

  #filter(power: Float64Array, frame: number, features: Float32Array): void {
    for (let band = 0; band < melBands; band++) {
      const filter = this.#filters[band];
      if (filter === undefined) return;
      const { from, weights } = filter;
      let sum = 0;
      for (let i = 0; i < weights.length; i++) sum += (weights[i] as number) * (power[from + i] as number);
      features[band * frames + frame] = Math.log10(Math.max(powerFloor, sum));
    }
  }
}

/** Returns the last 8 s at 16 kHz. */
function atFeatureRate(samples: Int16Array, rateHz: number): Int16Array | Float64Array {
  if (rateHz === sampleRateHz) return samples.subarray(-audioSamples);
  if (2 * rateHz === sampleRateHz) return doubleRate(samples.subarray(-audioSamples / 2));
  throw new RangeError(`The sample rate must be 8,000 or ${sampleRateHz} Hz, not ${rateHz}.`);
}

/** Returns a quarter of the square: each sum is twice the spectrum of one signal. */
function quarterSquare(sum: number): number {
  return (sum * sum) / 4;
}

function scaled(features: Float32Array): Float32Array {
  let loudest = Number.NEGATIVE_INFINITY;
  for (const value of features) if (value > loudest) loudest = value;
  for (let i = 0; i < features.length; i++) {
    features[i] = (Math.max(features[i] as number, loudest - range) + 4) / 4;
  }
  return features;
}
