import { keepAwake } from '../support/awake.ts';
import { bundle } from '../support/bundle.ts';
import { type LevelFigures, measure, medianOf, show } from '../support/phones/measure.ts';
import { round } from '../support/statistics.ts';
import { levels, rounds, steadyMs, warmingMs } from './settings.ts';

/**
 * Measures how many calls one process carries: real SIP and RTP on loopback, 8 kHz μ-law, a detector with the cost of
 * Silero, and providers that answer at once. The callers run in another process; their own delays count as the
 * service's. The highest level is measured by turns with default options of Node and with the one that
 * docs/deployment.md recommends for two processors.
 */
await bundle(new URL('../support/exact-vad.ts', import.meta.url), 'exact-vad');
const service = await bundle(new URL('./service.ts', import.meta.url), 'density-service');
const callers = await bundle(new URL('./callers.ts', import.meta.url), 'density-callers');

console.log(`processors: ${await keepAwake()}`);
console.log(`${steadyMs / 1_000} s of each, after ${warmingMs / 1_000} s of the same calls`);
show();
const all = new Map<number, LevelFigures>();
const inPoolOf1: LevelFigures[] = [];
for (const calls of levels) {
  const isCompared = calls >= 100;
  const measured: LevelFigures[] = [];
  while (measured.length < (isCompared ? rounds : 1)) {
    const figures = await measure({ service, callers, calls, steadyMs });
    measured.push(figures);
    show(String(calls), figures);
    if (calls < Math.max(...levels)) continue;
    const compared = await measure({ service, callers, calls, steadyMs, nodeOptions: ['--v8-pool-size=1'] });
    inPoolOf1.push(compared);
    show(`${calls}, pool of 1`, compared);
  }
  const figures = medianOf(measured);
  if (isCompared) show('median', figures);
  all.set(calls, figures);
}
const poolOf1 = medianOf(inPoolOf1);
show('median, pool of 1', poolOf1);
console.log(
  JSON.stringify({
    turn_p50_ms: round(all.get(100)?.turnP50Ms ?? Number.NaN),
    turn_p95_ms: round(all.get(100)?.turnP95Ms ?? Number.NaN),
    late_pct: round(all.get(200)?.latePct ?? Number.NaN),
    late_pct_pool_of_1: round(poolOf1.latePct),
    core_pct_per_call: round(all.get(200)?.corePctPerCall ?? Number.NaN),
    mb_per_call: round(all.get(200)?.mbPerCall ?? Number.NaN),
  }),
);
process.exit(0);
