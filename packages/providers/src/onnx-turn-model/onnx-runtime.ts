import { toError, VaError } from '@va/media';

/** A tensor of the part of `onnxruntime-node` that is used here. */
interface OnnxTensor {
  readonly data: ArrayLike<unknown>;
}

/** A loaded network. */
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
  release(): Promise<void>;
}

/** Options of `InferenceSession.create`. */
export interface OnnxSessionOptions {
  readonly executionProviders: readonly string[];
  readonly intraOpNumThreads: number;
  readonly interOpNumThreads: number;
  readonly executionMode: 'sequential' | 'parallel';
}

/** Part of the API of `onnxruntime-node` that is used here. */
export interface OnnxRuntime {
  readonly InferenceSession: { create(file: Uint8Array, options: OnnxSessionOptions): Promise<OnnxSession> };
  readonly Tensor: new (type: 'float32', data: Float32Array, shape: readonly number[]) => OnnxTensor;
}

/**
 * Imports the runtime, which the host installs beside this package.
 * @throws VaError `turn_model_runtime` if it is not installed, or has no binary for this machine
 */
export async function loadOnnxRuntime(packageName = 'onnxruntime-node'): Promise<OnnxRuntime> {
  try {
    const loaded: unknown = await import(packageName);
    if (isOnnxRuntime(loaded)) return loaded;
    const inner: unknown = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : null;
    if (isOnnxRuntime(inner)) return inner;
    throw new VaError('turn_model_runtime', 'The package has no InferenceSession.');
  } catch (thrown) {
    const message =
      `${packageName} cannot be loaded: ${toError(thrown).message} Install it beside @va/providers ` +
      `(npm install ${packageName}).`;
    throw new VaError('turn_model_runtime', message, { cause: thrown });
  }
}

function isOnnxRuntime(loaded: unknown): loaded is OnnxRuntime {
  return typeof loaded === 'object' && loaded !== null && 'InferenceSession' in loaded && 'Tensor' in loaded;
}
