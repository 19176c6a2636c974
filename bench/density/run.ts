import type { ChildProcess } from 'node:child_process';
import { keepAwake } from '../support/awake.ts';
import { bundle } from '../support/bundle.ts';
import { nextMessage, startNode } from '../support/child-process.ts';
import { median, percentile, round } from '../support/statistics.ts';
import { type CallerFigures, levels, rounds, type ServiceFigures, steadyMs, warmingMs } from './settings.ts';

/**
 * Measures how many calls one process carries: real SIP and RTP on loopback, 8 kHz μ-law, a detector with the cost of
 * Silero, and providers that answer at once. The callers run in another process; their own delays count as the
 * service's.
 */
async function figuresOf(service: ChildProcess): Promise<ServiceFigures> {
  const told = nextMessage<ServiceFigures>(service);
  service.send('figures');
  return await told;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
await bundle(new URL('../support/exact-vad.ts', import.meta.url), 'exact-vad');
const serviceScript = await bundle(new URL('./service.ts', import.meta.url), 'density-service');
const callersScript = await bundle(new URL('./callers.ts', import.meta.url), 'density-callers');

interface LevelFigures {
  readonly calls: number;
  readonly turnP50Ms: number;
  readonly turnP95Ms: number;
  readonly bargeP95Ms: number;
  readonly latePct: number;
  readonly corePctPerCall: number;
  readonly mbPerCall: number;
}

async function measure(calls: number): Promise<LevelFigures> {
  const service = startNode(['--expose-gc', serviceScript], { processor: 'any' });
  const { target } = await nextMessage<{ target: string }>(service);
  await pause(2_000);
  service.send('reset');
  await pause(2_000);
  const idle = await figuresOf(service);
  const callers = startNode([callersScript, target, String(calls)], { processor: 'any' });
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
  return {
    calls,
    turnP50Ms: percentile(busy.turnMs, 0.5),
    turnP95Ms: percentile(busy.turnMs, 0.95),
    bargeP95Ms: percentile(bargeMs, 0.95),
    latePct: (lateFrames / frames) * 100,
    corePctPerCall: (corePct(busy) - corePct(idle)) / calls,
    mbPerCall: (busy.rssMb - idle.rssMb) / calls,
  };
}

/** Returns the median of each figure. */
function medianOf(measured: readonly LevelFigures[]): LevelFigures {
  const of = (key: keyof LevelFigures): number => median(measured.map((each) => each[key]));
  return {
    calls: of('calls'),
    turnP50Ms: of('turnP50Ms'),
    turnP95Ms: of('turnP95Ms'),
    bargeP95Ms: of('bargeP95Ms'),
    latePct: of('latePct'),
    corePctPerCall: of('corePctPerCall'),
    mbPerCall: of('mbPerCall'),
  };
}

function show(what: string, figures: LevelFigures): void {
  const { turnP50Ms, turnP95Ms, bargeP95Ms, latePct, corePctPerCall, mbPerCall } = figures;
  const columns = [
    what.padStart(6),
    `${turnP50Ms.toFixed(2)} ms`.padStart(11),
    `${turnP95Ms.toFixed(2)} ms`.padStart(11),
    `${bargeP95Ms.toFixed(1)} ms`.padStart(15),
    `${latePct.toFixed(2)} %`.padStart(14),
    `${corePctPerCall.toFixed(2)} %`.padStart(12),
    mbPerCall.toFixed(2).padStart(10),
  ];
  console.log(columns.join(''));
}

console.log(`processors: ${await keepAwake()}`);
console.log(`${steadyMs / 1_000} s of each, after ${warmingMs / 1_000} s of the same calls`);
console.log(' calls   turn p50   turn p95   barge-in p95   late frames   core/call   MB/call');
const all: LevelFigures[] = [];
for (const calls of levels) {
  const isCompared = calls >= 100;
  const measured: LevelFigures[] = [];
  while (measured.length < (isCompared ? rounds : 1)) {
    const figures = await measure(calls);
    measured.push(figures);
    show(String(calls), figures);
  }
  const figures = medianOf(measured);
  if (isCompared) show('median', figures);
  all.push(figures);
}
const at = (calls: number): LevelFigures | undefined => all.find((each) => each.calls === calls);
console.log(
  JSON.stringify({
    turn_p50_ms: round(at(100)?.turnP50Ms ?? Number.NaN),
    turn_p95_ms: round(at(100)?.turnP95Ms ?? Number.NaN),
    late_pct: round(at(200)?.latePct ?? Number.NaN),
    core_pct_per_call: round(at(200)?.corePctPerCall ?? Number.NaN),
    mb_per_call: round(at(200)?.mbPerCall ?? Number.NaN),
  }),
);
process.exit(0);
