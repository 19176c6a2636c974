import { MatVecKernel } from './matvec-kernel.ts';
import { fourierBins, fourierSamples, loadSileroLayers, lstmUnits } from './silero-layers.ts';
import type { VoiceActivityDetector } from './voice-activity.ts';

/** Samples per probability: 32 ms at 8 kHz. */
export const vadWindowSamples = 256;

/** Samples of the previous window that precede the current one in the input. */
const contextSamples = 32;
const inputSamples = contextSamples + vadWindowSamples;
const reflectedSamples = fourierSamples / 4;
const frames = 4;
const secondFloats = (frames / 2) * 64;
const thirdFloats = 64;
const lstmInputs = 2 * lstmUnits;
const lstmGates = 4 * lstmUnits;

/** Maximum windows of different streams computed together, so that the weights are read once for all. */
const batchWindows = 8;

/** Factor by which each `forget` scales the memory. */
const kept = 0.993;

/** Voice activity detection of one audio stream. */
export interface VadStream {
  /**
   * Returns the probability (0–1) of speech in `window`, the next 256 samples of the stream at 8 kHz.
   * @throws RangeError if the window has another length
   */
  probability(window: Int16Array): number;
  /** Reduces the weight of past audio: to half within about three seconds of windows. */
  forget(): void;
  /** Resets the memory, as for a new stream. */
  reset(): void;
}

/** The network with its weights, shared by all streams of a thread. */
export interface SileroModel extends VoiceActivityDetector {
  createStream(): VadStream;
  /**
   * Writes the probability of the next window of each of several streams into `into`. Same results as one by one, in
   * about half the time, most of which is reading the weights.
   * @throws RangeError if a window has another length; TypeError if a stream belongs to another network
   */
  judge(streams: readonly VadStream[], windows: readonly Int16Array[], into: Float64Array): void;
}

/**
 * Silero VAD v6 for 8 kHz: a Fourier transform, four convolutions over its magnitudes, an LSTM, and one output.
 * Computed in WASM-SIMD, without allocations per window. Probabilities differ from those of the published ONNX model by
 * less than 0.01, because weights and inputs of the layers are rounded to integers.
 * @see https://github.com/snakers4/silero-vad
 */
class Silero implements SileroModel {
  readonly windowSamples = vadWindowSamples;
  readonly #kernel = new MatVecKernel();
  readonly #layers = loadSileroLayers(this.#kernel);
  readonly #samples = this.#kernel.allocate(inputSamples + reflectedSamples);
  // The first and last frame of these two stay zero: they pad the next convolution.
  readonly #magnitudes = this.#kernel.allocate((frames + 2) * fourierBins);
  readonly #first = this.#kernel.allocate((frames + 2) * 128);
  // The buffers from here on exist once per window of a batch.
  readonly #second = this.#kernel.allocate(batchWindows * secondFloats);
  readonly #third = this.#kernel.allocate(batchWindows * thirdFloats);
  readonly #lstmInput = this.#kernel.allocate(batchWindows * lstmInputs);
  readonly #gates = this.#kernel.allocate(batchWindows * lstmGates);
  // The inputs of the layers, rounded to integers.
  readonly #magnitudesIn = this.#kernel.allocateQuantized((frames + 2) * fourierBins);
  readonly #firstIn = this.#kernel.allocateQuantized((frames + 2) * 128);
  readonly #secondIn = this.#kernel.allocateQuantized(secondFloats, batchWindows);
  readonly #thirdIn = this.#kernel.allocateQuantized(thirdFloats, batchWindows);
  readonly #lstmIn = this.#kernel.allocateQuantized(lstmInputs, batchWindows);
  readonly #cell = this.#kernel.allocate(lstmUnits);
  readonly #outputWeights = this.#kernel.allocate(lstmUnits);

  constructor() {
    this.#kernel.memory.set(this.#layers.output, this.#outputWeights);
  }

  createStream(): VadStream {
    return new SileroStream(this);
  }

  judge(streams: readonly VadStream[], windows: readonly Int16Array[], into: Float64Array): void {
    for (let first = 0; first < streams.length; first += batchWindows) {
      const count = Math.min(batchWindows, streams.length - first);
      for (let i = 0; i < count; i++) this.#encode(own(streams[first + i]), windows[first + i] as Int16Array, i);
      this.#remember(count);
      for (let i = 0; i < count; i++) into[first + i] = this.#conclude(own(streams[first + i]), i);
    }
  }

  probability(stream: SileroStream, window: Int16Array): number {
    this.#encode(stream, window, 0);
    this.#remember(1);
    return this.#conclude(stream, 0);
  }

  /**
   * Computes the layers up to the second convolution, and copies the stream's hidden state to the input of the LSTM,
   * window by window.
   */
  #encode(stream: SileroStream, window: Int16Array, place: number): void {
    const [first, second] = this.#layers.encoder;
    this.#readSamples(window, stream.context);
    this.#kernel.spectrum(this.#layers.fourier, this.#samples, this.#magnitudes + fourierBins);
    this.#kernel.quantize(this.#magnitudes, this.#magnitudesIn);
    this.#kernel.runAlong(first, this.#magnitudesIn, fourierBins, this.#first + 128, frames, 128);
    this.#kernel.quantize(this.#first, this.#firstIn);
    this.#kernel.runAlong(second, this.#firstIn, 2 * 128, this.#second + place * secondFloats, frames / 2, 64);
    this.#kernel.quantize(this.#second + place * secondFloats, this.#secondIn, place);
    this.#kernel.memory.set(stream.hidden, this.#lstmInput + place * lstmInputs + lstmUnits);
  }

  /**
   * Writes the context, the window and its mirrored end to the input. The end of the window becomes the next context.
   */
  #readSamples(window: Int16Array, context: Float32Array): void {
    if (window.length !== vadWindowSamples) {
      throw new RangeError(`A VAD window has ${vadWindowSamples} samples, not ${window.length}.`);
    }
    const memory = this.#kernel.memory;
    const start = this.#samples;
    memory.set(context, start);
    for (let i = 0; i < vadWindowSamples; i++) {
      memory[start + contextSamples + i] = (window[i] as number) / 32_768;
    }
    const end = start + inputSamples;
    for (let i = 0; i < contextSamples; i++) context[i] = memory[end - contextSamples + i] as number;
    for (let i = 0; i < reflectedSamples; i++) memory[end + i] = memory[end - 2 - i] as number;
  }

  /**
   * Computes the rest of the encoder and the gates of the LSTM, each layer for all windows of the batch, because these
   * layers have most of the weights.
   */
  #remember(count: number): void {
    const [, , third, fourth] = this.#layers.encoder;
    const kernel = this.#kernel;
    kernel.runEach(third, this.#secondIn, this.#third, count, thirdFloats);
    for (let i = 0; i < count; i++) kernel.quantize(this.#third + i * thirdFloats, this.#thirdIn, i);
    kernel.runEach(fourth, this.#thirdIn, this.#lstmInput, count, lstmInputs);
    for (let i = 0; i < count; i++) kernel.quantize(this.#lstmInput + i * lstmInputs, this.#lstmIn, i);
    kernel.runEach(this.#layers.lstm, this.#lstmIn, this.#gates, count, lstmGates);
  }

  #conclude({ hidden, cell }: SileroStream, place: number): number {
    const { memory } = this.#kernel;
    const hiddenAt = this.#lstmInput + place * lstmInputs + lstmUnits;
    memory.set(cell, this.#cell);
    const sum = this.#kernel.lstmCell(this.#gates + place * lstmGates, this.#cell, hiddenAt, this.#outputWeights);
    for (let unit = 0; unit < lstmUnits; unit++) {
      hidden[unit] = memory[hiddenAt + unit] as number;
      cell[unit] = memory[this.#cell + unit] as number;
    }
    return 1 / (1 + Math.exp(-(sum + this.#layers.outputBias)));
  }
}

function own(stream: VadStream | undefined): SileroStream {
  if (stream instanceof SileroStream) return stream;
  throw new TypeError('A stream of another detector cannot be judged here.');
}

class SileroStream implements VadStream {
  readonly #model: Silero;
  readonly context = new Float32Array(contextSamples);
  readonly hidden = new Float32Array(lstmUnits);
  readonly cell = new Float32Array(lstmUnits);

  constructor(model: Silero) {
    this.#model = model;
  }

  probability(window: Int16Array): number {
    return this.#model.probability(this, window);
  }

  forget(): void {
    for (let unit = 0; unit < lstmUnits; unit++) {
      this.hidden[unit] = kept * (this.hidden[unit] as number);
      this.cell[unit] = kept * (this.cell[unit] as number);
    }
  }

  reset(): void {
    this.context.fill(0);
    this.hidden.fill(0);
    this.cell.fill(0);
  }
}

let loaded: SileroModel | undefined;

/** Loads the network on first use (20 to 30 ms, 1 MiB) and returns the same one afterwards. */
export function loadSileroVad(): SileroModel {
  loaded ??= new Silero();
  return loaded;
}
