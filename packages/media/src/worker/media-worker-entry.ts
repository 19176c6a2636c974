import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { loadOpus } from '../codec/opus-codec.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemRandom } from '../runtime/random.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { loadSileroVad } from '../vad/silero.ts';
import { EventBatcher } from './event-batcher.ts';
import { LegServer } from './leg-server.ts';
import type { ToWorker, WorkerStart } from './messages.ts';

/** Raises the priority of this thread (on Linux, of it alone), because frames have deadlines. */
function raisePriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // The operating system refused: the thread keeps its normal priority.
  }
}

/** Program of the media threads, started by `MediaWorker`. */
if (process.platform === 'linux') raisePriority();
const start: WorkerStart = workerData;
const aheadMs = Number(process.hrtime.bigint()) / 1e6 + start.clockAtZeroMs - systemClock.nowMs();
/** Same time as the main thread's clock. */
const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
const events = new EventBatcher(clock, (message) => parentPort?.postMessage(message));
const server = new LegServer({
  clock,
  random: systemRandom,
  opus: start.opus ? await loadOpus() : null,
  events,
});
// Loads the weights before the first call needs them.
loadSileroVad();

parentPort?.on('message', (message: ToWorker) => {
  if (message !== 'stop') {
    for (const command of message) server.handle(command);
    return;
  }
  server.close();
  events.flush();
  parentPort?.close();
});
events.flush();
parentPort?.postMessage('ready');
