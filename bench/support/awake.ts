import { openSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const wakeUps = 1_000;
const betweenMs = 5;
/** Of node itself: its timers count whole milliseconds. */
const inTimeMs = 3;
const toleratedPct = 0.5;

/**
 * Has processors wake in time for all that this process measures. A host may take the sleeping processor of a virtual
 * machine away, and give it back when it likes: on one such machine 1 to 6 of a hundred wake-ups were more than 5 ms
 * late, and none with a request for no latency, as `cyclictest` makes it. A processor that never sleeps uses up what a
 * host with a limit allows, though, and is taken for 8 ms now and then: the request is made only where wake-ups are
 * late without it (Linux, as root; for as long as this process lives).
 *
 * @returns what was found and done, in words
 * @see https://docs.kernel.org/power/pm_qos_interface.html
 */
export async function keepAwake(): Promise<string> {
  const latePct = await lateWakeUpsPct();
  const found = `${latePct.toFixed(1)} % of wake-ups late`;
  if (latePct <= toleratedPct) return `left alone, ${found}`;
  return requestsNoLatency() ? `kept awake, ${found} before` : `not kept awake (which takes root), ${found}`;
}

async function lateWakeUpsPct(): Promise<number> {
  let late = 0;
  for (let wakeUp = 0; wakeUp < wakeUps; wakeUp++) {
    const dueAtMs = performance.now() + betweenMs;
    await pause(betweenMs);
    if (performance.now() - dueAtMs > inTimeMs) late += 1;
  }
  return (late / wakeUps) * 100;
}

function requestsNoLatency(): boolean {
  try {
    // A request for no latency at all: it is good as long as the file is open.
    writeSync(openSync('/dev/cpu_dma_latency', 'w'), new Uint8Array(Int32Array.BYTES_PER_ELEMENT));
    return true;
  } catch {
    return false;
  }
}
