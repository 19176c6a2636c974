/** Meaning of a network's output: a probability, or the logarithm of its odds. */
export type NetworkOutput = 'probability' | 'logit';

/** `workerData` of an inference thread. */
export interface InferenceStart {
  /** Path of the ONNX file. */
  readonly file: string;
  readonly output: NetworkOutput;
}

/** A request to the thread, one at a time. */
export interface InferenceTask {
  readonly audio: Int16Array;
  readonly sampleRateHz: number;
}

/** Message to the thread. `stop` ends it after the running task. */
export type ToInferenceThread = InferenceTask | 'stop';

/** Message from the thread: `ready` or `refused` once, then `answered` or `failed` for each task. */
export type FromInferenceThread =
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly code: string; readonly message: string }
  | { readonly type: 'answered'; readonly probability: number }
  | { readonly type: 'failed'; readonly message: string };
