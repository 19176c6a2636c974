import { parseArgs } from 'node:util';
import { hasLineNoise } from '@va/test-servers/audio';
import { percentile, round } from '../support/statistics.ts';
import { clean, noisy } from './conditions.ts';
import { measureTurns, type TurnFigures } from './measure-turns.ts';
import { measureYields, type YieldFigures } from './measure-yields.ts';
import { type Policy, policies } from './policies.ts';
import { everyRecording, missingPackages } from './recordings.ts';
import { noisyTurns, pauseDraws } from './settings.ts';
import type { Delays } from './timed-recognizer.ts';
import { partOf, turnsFrom } from './turns.ts';

/**
 * Measures turn-taking: conversations of recorded speech on virtual time, with the real detector, media plane
 * and reducer. See docs/listening-benchmark.md.
 */
const { values: options } = parseArgs({
  options: {
    tuning: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    policy: { type: 'string', multiple: true },
    verbose: { type: 'boolean', default: false },
  },
});

const missing = missingPackages();
if (!hasLineNoise()) missing.push('asterisk-moh-opsound-wav', 'codec2-examples');
if (missing.length > 0) {
  console.error(`The recorded speech is missing. On Debian: apt-get install ${missing.join(' ')}`);
  process.exit(1);
}

const part = options.tuning ? 'tuning' : 'judging';
const recordings = partOf(await everyRecording(), part);
const draws = Array.from({ length: pauseDraws }, (_, draw) => turnsFrom(recordings, draw));
const [turns = []] = draws;
const words = recordings.filter(({ pcm, voiced }) => pcm.length < 7_200 && voiced.length === 1);
const chosen = policies.filter(({ name }) => options.policy === undefined || options.policy.includes(name));

interface Figures {
  readonly prompt: TurnFigures;
  readonly real: TurnFigures;
  readonly yields: YieldFigures | null;
}

async function measured(policy: Policy): Promise<Figures> {
  const prompt = await measuredClean(policy, 'prompt');
  const real = await measuredClean(policy, 'real');
  tell(policy, 'nothing, finals at once', prompt);
  tell(policy, 'nothing', real);
  if (!options.quick) {
    for (const condition of noisy) {
      tell(
        policy,
        condition.name,
        await measureTurns(policy, turns.slice(0, noisyTurns), { delays: 'real', condition }),
      );
    }
  }
  const yields = options.quick ? null : await measureYields(policy, { turns, words });
  if (yields !== null) tellYields(policy, yields);
  return { prompt, real, yields };
}

/**
 * Measures the turns with each draw of their pauses: in a single draw, a few pauses would decide how many turns are cut
 * off.
 */
async function measuredClean(policy: Policy, delays: Delays): Promise<TurnFigures> {
  const all: TurnFigures[] = [];
  for (const drawn of draws) all.push(await measureTurns(policy, drawn, { delays, condition: clean }));
  const sum = (of: (each: TurnFigures) => number): number => all.reduce((total, each) => total + of(each), 0);
  return {
    responsesMs: all.flatMap(({ responsesMs }) => responsesMs),
    cutOff: all.flatMap(({ cutOff }) => cutOff),
    unanswered: all.flatMap(({ unanswered }) => unanswered),
    turns: sum((each) => each.turns),
    prepared: { made: sum(({ prepared }) => prepared.made), used: sum(({ prepared }) => prepared.used) },
  };
}

function tell({ name }: Policy, under: string, figures: TurnFigures): void {
  const { responsesMs, cutOff, unanswered, turns: count, prepared } = figures;
  const p = (share: number): string => String(Math.round(percentile(responsesMs, share))).padStart(5);
  const kindOf = (turn: string): string => turn.split(' ')[0] ?? '';
  const kinds = [...new Set(cutOff.map(kindOf))].map((kind) => {
    return `${cutOff.filter((each) => kindOf(each) === kind).length} ${kind}`;
  });
  console.log(
    `${name.padEnd(8)} ${under.padEnd(24)} response p50 ${p(0.5)} p95 ${p(0.95)} ms   ` +
      `cut off ${cutOff.length}/${count}` +
      ` (${kinds.join(', ')})   no reply ${unanswered.length}` +
      `   prepared replies used ${prepared.used} of ${prepared.made}`,
  );
  if (options.verbose) for (const each of cutOff) console.log(`    cut off: ${each}`);
}

function tellYields({ name }: Policy, { loweredMs, silentMs, missed, sounds }: YieldFigures): void {
  const p = (values: readonly number[], share: number): number => Math.round(percentile(values, share));
  console.log(
    `${name.padEnd(8)} interrupted: lowered or silent after p50 ${p(loweredMs, 0.5)} p95 ${p(loweredMs, 0.95)} ms, ` +
      `silent after p50 ${p(silentMs, 0.5)} p95 ${p(silentMs, 0.95)} ms, missed ${missed}`,
  );
  for (const [sound, { count, cutOff, paused }] of Object.entries(sounds)) {
    console.log(
      `${name.padEnd(8)} ${sound}: ${count} played, cut off ${cutOff}, lowered or stopped at its end ${paused}`,
    );
  }
}

const pct = (some: number, all: number): number => round((100 * some) / Math.max(1, all), 1);

const results = new Map<string, Figures>();
for (const policy of chosen) results.set(policy.name, await measured(policy));

function figuresOf(name: string, prefix: string): Record<string, number> {
  const result = results.get(name);
  if (result === undefined) return {};
  const { prompt, real } = result;
  return {
    [`${prefix}response_p50_ms`]: Math.round(percentile(prompt.responsesMs, 0.5)),
    [`${prefix}response_p95_ms`]: Math.round(percentile(prompt.responsesMs, 0.95)),
    [`${prefix}raw_response_p50_ms`]: Math.round(percentile(real.responsesMs, 0.5)),
    [`${prefix}raw_response_p95_ms`]: Math.round(percentile(real.responsesMs, 0.95)),
    [`${prefix}cut_off_pct`]: pct(real.cutOff.length, real.turns),
  };
}

const yields = results.get('default')?.yields ?? null;
const listened = yields?.sounds.backchannel;
console.log(
  JSON.stringify({
    ...figuresOf('default', ''),
    ...(yields === null ? {} : { yield_p95_ms: Math.round(percentile(yields.loweredMs, 0.95)) }),
    ...(listened === undefined ? {} : { false_yield_pct: pct(listened.cutOff, listened.count) }),
    ...figuresOf('before', 'before_'),
    ...figuresOf('livekit', 'livekit_rule_'),
    ...figuresOf('pipecat', 'pipecat_rule_'),
  }),
);
