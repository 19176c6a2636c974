import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { loadOpus } from '../codec/opus-codec.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemRandom } from '../runtime/random.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { loadSileroVad } from '../vad/silero.ts';
import { Outbox } from './event-batcher.ts';
import { MediaHost } from './leg-server.ts';
import type { ToWorker, WorkerStart } from './protocol.ts';

/** Linux takes it as this thread's alone. Frames have deadlines; nothing else in the process has. */
function goFirst(): void {
  try {
    setPriority(constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // Not everyone may: then the thread competes as all others do.
  }
}

/** The thread in which the media of calls run: what `MediaWorker` starts. */
if (process.platform === 'linux') goFirst();
const start: WorkerStart = workerData;
const aheadMs = Number(process.hrtime.bigint()) / 1e6 + start.clockAtZeroMs - systemClock.nowMs();
/** Shows what the service's clock shows. */
const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
const outbox = new Outbox(clock, (message) => parentPort?.postMessage(message));
const host = new MediaHost({
  clock,
  random: systemRandom,
  opus: start.opus ? await loadOpus() : null,
  outbox,
});
// Before the first call needs it.
loadSileroVad();

parentPort?.on('message', (told: ToWorker) => {
  if (told !== 'stop') {
    for (const command of told) host.do(command);
    return;
  }
  host.close();
  outbox.flush();
  parentPort?.close();
});
outbox.flush();
parentPort?.postMessage('ready');
