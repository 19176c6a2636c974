import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@va/client';
import { bundle } from '../../support/bundle.ts';
import { nextMessage, startNode } from '../../support/child-process.ts';
import type { ServiceFigures } from '../../support/phones/service-meter.ts';
import { median } from '../../support/statistics.ts';
import type { ServiceSettings } from '../settings.ts';
import { settlingMs, sideMs, type Target } from './settings.ts';

interface Watching {
  /** Live calls. */
  readonly calls: number;
  /** Pairs of measurements, one with and one without a watcher. */
  readonly pairs: number;
}

/** Returns the share of a core, in percent, that one watcher of all live calls costs the service. */
export async function measureWatching(settings: ServiceSettings, { calls, pairs }: Watching): Promise<number> {
  await bundle(new URL('../../support/exact-vad.ts', import.meta.url), 'exact-vad');
  const program = await bundle(new URL('./service.ts', import.meta.url), 'console-watch-service');
  const phones = await bundle(new URL('./callers.ts', import.meta.url), 'console-watch-callers');
  const env = { BENCH_SETTINGS: JSON.stringify(settings) };
  const service = startNode(['--expose-gc', program], { processor: 'any', env });
  const { target: json } = await nextMessage<{ target: string }>(service);
  const target = JSON.parse(json) as Target;
  const callers = startNode([phones, json, String(calls)], { processor: 'any' });
  try {
    await nextMessage(callers);
    console.log(`\n${calls} live calls     alone   watched   difference      events`);
    const differences: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1) differences.push(await compare(service, target, pair % 2 === 0));
    return median(differences);
  } finally {
    service.disconnect();
    callers.kill();
  }
}

/** Measures the service with and without a watcher, in the given order. Returns the difference in percent of a core. */
async function compare(service: ChildProcess, target: Target, isWatchedFirst: boolean): Promise<number> {
  const figures = { alone: 0, watched: 0, events: 0 };
  for (const isWatched of isWatchedFirst ? [true, false] : [false, true]) {
    const watcher = isWatched ? watch(target) : null;
    await pause(settlingMs);
    const eventsBefore = watcher?.events() ?? 0;
    figures[isWatched ? 'watched' : 'alone'] = await corePct(service);
    if (watcher === null) continue;
    figures.events = watcher.events() - eventsBefore;
    if (figures.events === 0) throw new Error('The watcher has received no events.');
    await watcher.close();
  }
  const { alone, watched, events } = figures;
  const columns = [`${alone.toFixed(1)} %`, `${watched.toFixed(1)} %`, `${(watched - alone).toFixed(1)} %`];
  console.log(`${' '.repeat(14)}${columns.map((each) => each.padStart(10)).join(' ')}  ${String(events).padStart(10)}`);
  return watched - alone;
}

async function corePct(service: ChildProcess): Promise<number> {
  service.send('reset');
  await pause(sideMs);
  const told = nextMessage<ServiceFigures>(service);
  service.send('figures');
  const { cpuMs, elapsedMs } = await told;
  return (cpuMs / elapsedMs) * 100;
}

interface Watcher {
  /** Number of events received. */
  events(): number;
  /** @throws Error when a stream has failed */
  close(): Promise<void>;
}

/** Opens the streams of the console's page of live calls. */
function watch({ url, apiKey }: Target): Watcher {
  const client = createClient({ baseUrl: url, apiKey });
  const leaving = new AbortController();
  const { signal } = leaving;
  let received = 0;
  const read = async (events: AsyncIterable<unknown>): Promise<void> => {
    try {
      for await (const _ of events) received += 1;
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    }
  };
  const reading = Promise.all([read(client.calls.watch({ signal })), read(client.calls.live({}, { signal }))]);
  return {
    events: () => received,
    async close() {
      leaving.abort();
      await reading;
    },
  };
}
