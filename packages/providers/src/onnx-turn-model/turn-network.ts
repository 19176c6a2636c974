import { readFile } from 'node:fs/promises';
import { toError, VaError } from '@va/media';
import { featureShape, LogMelFeatures } from './log-mel.ts';
import type { InferenceStart, InferenceTask, NetworkOutput } from './messages.ts';
import type { OnnxRuntime, OnnxSession, OnnxSessionOptions } from './onnx-runtime.ts';

/** Uses one thread per network. Concurrent phone calls are served by several networks. */
const sessionOptions: OnnxSessionOptions = {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
};

/**
 * Number of runs after which the code that computes the features is optimized: the first run takes ten times as long as
 * a later one.
 */
const warmUpRuns = 8;
/** A tone of 10 s: the warm-up has to compute all frames. */
const warmUpAudio = Int16Array.from({ length: 80_000 }, (_, i) => Math.round(8_000 * Math.sin(i / 5)));

/** A network of an ONNX file that judges log-mel features: `float32[1, 80, 800]` in, one number out. */
export class TurnNetwork {
  readonly #runtime: OnnxRuntime;
  readonly #session: OnnxSession;
  readonly #output: NetworkOutput;
  readonly #features = new LogMelFeatures();

  private constructor(runtime: OnnxRuntime, session: OnnxSession, output: NetworkOutput) {
    this.#runtime = runtime;
    this.#session = session;
    this.#output = output;
  }

  /**
   * Reads the file and runs the network some times, as the first runs are slow and show whether the network fits.
   * @throws VaError `turn_model_file` if the file cannot be read or is no ONNX model, `turn_model_shape` if its input
   *   or output has another shape or meaning
   */
  static async load(runtime: OnnxRuntime, { file, output }: InferenceStart): Promise<TurnNetwork> {
    const session = await createSession(runtime, file);
    const network = new TurnNetwork(runtime, session, output);
    try {
      for (let run = 0; run < warmUpRuns; run++) await network.judge({ audio: warmUpAudio, sampleRateHz: 8_000 });
      return network;
    } catch (thrown) {
      await session.release();
      const expected = `${file} must take float32[${featureShape.join(', ')}] and return one number`;
      throw new VaError('turn_model_shape', `${expected}: ${toError(thrown).message}`, { cause: thrown });
    }
  }

  /** Returns the probability that the turn of this audio is over. Rejects if the network fails. */
  async judge({ audio, sampleRateHz }: InferenceTask): Promise<number> {
    const [input, ...others] = this.#session.inputNames;
    const [output] = this.#session.outputNames;
    if (input === undefined || output === undefined || others.length > 0) {
      throw new VaError(
        'turn_model_shape',
        `the network has ${this.#session.inputNames.length} inputs and ${this.#session.outputNames.length} outputs.`,
      );
    }
    const features = this.#features.compute(audio, sampleRateHz);
    const results = await this.#session.run({ [input]: new this.#runtime.Tensor('float32', features, featureShape) });
    return this.#probabilityOf(results[output]?.data);
  }

  async release(): Promise<void> {
    await this.#session.release();
  }

  #probabilityOf(values: ArrayLike<unknown> | undefined): number {
    const value = values?.[0];
    if (values?.length !== 1 || typeof value !== 'number' || Number.isNaN(value)) {
      throw new VaError(
        'turn_model_shape',
        `the network returned ${values?.length ?? 0} values, the first being ${value}.`,
      );
    }
    const probability = this.#output === 'logit' ? 1 / (1 + Math.exp(-value)) : value;
    if (probability >= 0 && probability <= 1) return probability;
    throw new VaError(
      'turn_model_shape',
      `the network returned ${value}, which is not a probability. If it is a logit, set output: 'logit'.`,
    );
  }
}

async function createSession(runtime: OnnxRuntime, file: string): Promise<OnnxSession> {
  const content = await readFile(file).catch((thrown: unknown) => {
    throw new VaError('turn_model_file', `The turn model cannot be read: ${toError(thrown).message}`, {
      cause: thrown,
    });
  });
  try {
    return await runtime.InferenceSession.create(content, sessionOptions);
  } catch (thrown) {
    const message = `${file} is not a valid ONNX model: ${toError(thrown).message}`;
    throw new VaError('turn_model_file', message, { cause: thrown });
  }
}
