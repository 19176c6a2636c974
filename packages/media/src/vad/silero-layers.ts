import { readAsset } from '../assets.ts';
import type { Fourier, Layer, MatVecKernel } from './matvec-kernel.ts';

/** Samples of one short-time Fourier transform. */
export const fourierSamples = 128;
export const fourierBins: number = fourierSamples / 2 + 1;
export const lstmUnits = 128;

export interface SileroLayers {
  readonly fourier: Fourier;
  /** Convolutions over time, as matrices on the concatenated columns of their window. */
  readonly encoder: readonly [Layer, Layer, Layer, Layer];
  /** Rows are the input, forget, cell and output gates of each unit; columns are the input, then the hidden state. */
  readonly lstm: Layer;
  readonly output: Float32Array;
  readonly outputBias: number;
}

/** Reads the tensors of the weights file in their order. */
function weightsReader(): (floats: number) => Float32Array {
  const file = readAsset('silero-vad-8k.f32');
  const weights = new Float32Array(Uint8Array.from(file).buffer);
  let at = 0;
  return (floats) => {
    at += floats;
    return weights.subarray(at - floats, at);
  };
}

/** Lays out the network's weights in the kernel's memory. */
export function loadSileroLayers(kernel: MatVecKernel): SileroLayers {
  const take = weightsReader();
  const element = (values: Float32Array, index: number): number => values[index] as number;
  // A matrix of 130 rows with the real and imaginary parts of each bin, which equals a windowed Fourier transform
  // except for the last bit. Its first row is the window.
  const fourier = kernel.fourier(take(2 * fourierBins * fourierSamples).subarray(0, fourierSamples));
  // Stored as [output][input][tap]. `taps` omits those that only ever see padding.
  const convolution = (outputs: number, inputs: number, taps: readonly number[] = [0, 1, 2]): Layer => {
    const weights = take(outputs * inputs * 3);
    const bias = take(outputs);
    const at = (row: number, column: number): number => {
      const tap = taps[Math.floor(column / inputs)] as number;
      return element(weights, (row * inputs + (column % inputs)) * 3 + tap);
    };
    return kernel.layer(outputs, inputs * taps.length, at, (row) => element(bias, row), 'relu');
  };
  const encoder = [
    convolution(128, fourierBins),
    convolution(64, 128),
    convolution(64, 64, [1, 2]),
    convolution(lstmUnits, 64, [1]),
  ] as const;
  const gates = 4 * lstmUnits;
  const onInput = take(gates * lstmUnits);
  const onHidden = take(gates * lstmUnits);
  const inputBias = take(gates);
  const hiddenBias = take(gates);
  const lstm = kernel.layer(
    gates,
    2 * lstmUnits,
    (row, column) =>
      column < lstmUnits
        ? element(onInput, row * lstmUnits + column)
        : element(onHidden, row * lstmUnits + column - lstmUnits),
    (row) => element(inputBias, row) + element(hiddenBias, row),
    'none',
  );
  return { fourier, encoder, lstm, output: take(lstmUnits).slice(), outputBias: element(take(1), 0) };
}
