import type { ChildProcess } from 'node:child_process';
import { nextMessage, startNode } from '../child-process.ts';
import { median, percentile } from '../statistics.ts';
import type { CallerFigures } from './callers.ts';
import type { ServiceFigures } from './service-meter.ts';

export interface LevelFigures {
  readonly turnP50Ms: number;
  readonly turnP95Ms: number;
  readonly bargeP95Ms: number;
  readonly latePct: number;
  readonly corePctPerCall: number;
  readonly mbPerCall: number;
}

export interface Level {
  /** Program with `meterService`. */
  readonly service: string;
  /** Program with `call`; its arguments are the service's target, the number of calls, and `kind`. */
  readonly callers: string;
  readonly calls: number;
  readonly kind?: string;
  readonly steadyMs: number;
  /** Options of Node for the service; by default none. */
  readonly nodeOptions?: readonly string[];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function figuresOf(service: ChildProcess): Promise<ServiceFigures> {
  const told = nextMessage<ServiceFigures>(service);
  service.send('figures');
  return await told;
}

/** Starts a service and its callers, each in a process of its own, and returns what one call costs. */
export async function measure({ service: program, callers: phones, calls, kind = '', ...level }: Level) {
  const { steadyMs, nodeOptions = [] } = level;
  const service = startNode([...nodeOptions, '--expose-gc', program], { processor: 'any' });
  const { target } = await nextMessage<{ target: string }>(service);
  await pause(2_000);
  service.send('reset');
  await pause(2_000);
  const idle = await figuresOf(service);
  const callers = startNode([phones, target, String(calls), kind], { processor: 'any' });
  await nextMessage(callers);
  service.send('reset');
  await pause(steadyMs);
  const busy = await figuresOf(service);
  const heard = nextMessage<CallerFigures>(callers);
  callers.send('stop');
  const { frames, lateFrames } = await heard;
  await pause(500);
  const { bargeMs } = await figuresOf(service);
  service.disconnect();
  const corePct = (each: ServiceFigures): number => (each.cpuMs / each.elapsedMs) * 100;
  const figures: LevelFigures = {
    turnP50Ms: percentile(busy.turnMs, 0.5),
    turnP95Ms: percentile(busy.turnMs, 0.95),
    bargeP95Ms: percentile(bargeMs, 0.95),
    latePct: (lateFrames / frames) * 100,
    corePctPerCall: (corePct(busy) - corePct(idle)) / calls,
    mbPerCall: (busy.rssMb - idle.rssMb) / calls,
  };
  return figures;
}

/** Returns the median of each figure. */
export function medianOf(measured: readonly LevelFigures[]): LevelFigures {
  const of = (key: keyof LevelFigures): number => median(measured.map((each) => each[key]));
  return {
    turnP50Ms: of('turnP50Ms'),
    turnP95Ms: of('turnP95Ms'),
    bargeP95Ms: of('bargeP95Ms'),
    latePct: of('latePct'),
    corePctPerCall: of('corePctPerCall'),
    mbPerCall: of('mbPerCall'),
  };
}

/** Prints a line of a table; its heading without arguments. */
export function show(what?: string, figures?: LevelFigures): void {
  if (figures === undefined) {
    console.log('             calls   turn p50   turn p95   barge-in p95   late frames   core/call   MB/call');
    return;
  }
  const { turnP50Ms, turnP95Ms, bargeP95Ms, latePct, corePctPerCall, mbPerCall } = figures;
  const columns = [
    (what ?? '').padStart(18),
    `${turnP50Ms.toFixed(2)} ms`.padStart(11),
    `${turnP95Ms.toFixed(2)} ms`.padStart(11),
    `${bargeP95Ms.toFixed(1)} ms`.padStart(15),
    `${latePct.toFixed(2)} %`.padStart(14),
    `${corePctPerCall.toFixed(3)} %`.padStart(12),
    mbPerCall.toFixed(2).padStart(10),
  ];
  console.log(columns.join(''));
}
