import { fileURLToPath } from 'node:url';
import { systemClock, type TurnModel, VaError } from '@va/core/adapter';
import { InferenceThread } from './inference-thread.ts';
import { InferenceThreads } from './inference-threads.ts';

const maxThreads = 64;

/** Options of {@link onnxTurnModel}. */
export interface OnnxTurnModelOptions {
  /** The ONNX file: a path or a `file:` URL. */
  readonly file: string | URL;
  /** Name in logs and metrics; `onnx` by default. */
  readonly id?: string;
  /**
   * Number of worker threads, each with its own copy of the network; 1 by default. A thread judges one pause at a time:
   * use more if requests often have the outcome `late` because phone calls wait for each other.
   */
  readonly threads?: number;
  /**
   * Meaning of the network's output. `probability` by default, also for Smart Turn v3, whose output is called `logits`
   * but is a probability.
   */
  readonly output?: 'probability' | 'logit';
}

/**
 * Creates a turn model of an ONNX file with the input and output of Smart Turn v3: a log-mel spectrogram
 * `float32[1, 80, 800]` of the last 8 s, and one number. It runs in worker threads, on the CPU, with
 * `onnxruntime-node`, which the host installs. `open` rejects with a `VaError` if that is missing
 * (`turn_model_runtime`), the file cannot be read (`turn_model_file`), or the network has another input or output
 * (`turn_model_shape`).
 *
 * @throws VaError `invalid_options` for a number of threads that is not from 1 to 64
 * @example createVoiceAgents({ turnModel: { model: onnxTurnModel({ file: 'smart-turn-v3.2-cpu.onnx' }) }, … })
 */
export function onnxTurnModel(options: OnnxTurnModelOptions): TurnModel {
  const { file: given, id = 'onnx', threads: count = 1, output = 'probability' } = options;
  if (!Number.isInteger(count) || count < 1 || count > maxThreads) {
    throw new VaError('invalid_options', `threads: must be an integer from 1 to ${maxThreads}, not ${count}.`);
  }
  const file = given instanceof URL || given.startsWith('file:') ? fileURLToPath(given) : given;
  const threads = new InferenceThreads(count, () => InferenceThread.start({ file, output }, systemClock));
  return {
    id,
    open: () => threads.open(),
    judge: ({ audio, sampleRateHz, signal }) => threads.run({ audio, sampleRateHz }, signal),
    close: () => threads.close(),
  };
}
