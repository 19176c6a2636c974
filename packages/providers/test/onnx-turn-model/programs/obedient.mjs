// Plays a thread with a network. The first sample of the audio tells what it does.
import { parentPort, workerData } from 'node:worker_threads';

if (workerData.file === 'refused') {
  parentPort.postMessage({ type: 'refused', code: 'turn_model_file', message: 'no such file' });
} else if (workerData.file !== 'silent') {
  parentPort.postMessage({ type: 'ready' });
}
parentPort.on('message', (message) => {
  if (message === 'stop') {
    if (workerData.file !== 'stubborn') parentPort.close();
    return;
  }
  const [first] = message.audio;
  if (first === 1) throw new Error('out of order');
  if (first === 2) return;
  if (first === 3) parentPort.postMessage({ type: 'failed', message: 'wrong shape' });
  else parentPort.postMessage({ type: 'answered', probability: message.audio.length / 100 });
});
