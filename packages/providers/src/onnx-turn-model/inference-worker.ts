import { parentPort, workerData } from 'node:worker_threads';
import { toError, VaError } from '@va/media';
import type { FromInferenceThread, InferenceStart, ToInferenceThread } from './messages.ts';
import { loadOnnxRuntime } from './onnx-runtime.ts';
import { TurnNetwork } from './turn-network.ts';

const port = parentPort;
if (port === null) throw new Error('This file must be run as a worker thread.');
const post = (message: FromInferenceThread): void => port.postMessage(message);

try {
  const network = await TurnNetwork.load(await loadOnnxRuntime(), workerData as InferenceStart);
  let running = Promise.resolve();
  port.on('message', (message: ToInferenceThread) => {
    if (message === 'stop') {
      void running.then(async () => {
        port.close();
        await network.release();
      });
      return;
    }
    running = network.judge(message).then(
      (probability) => post({ type: 'answered', probability }),
      (thrown: unknown) => post({ type: 'failed', message: toError(thrown).message }),
    );
  });
  post({ type: 'ready' });
} catch (thrown) {
  const { message } = toError(thrown);
  post({ type: 'refused', code: thrown instanceof VaError ? thrown.code : 'turn_model', message });
}
