import { keepAwake } from '../support/awake.ts';
import { bundle } from '../support/bundle.ts';
import { pinned } from '../support/child-process.ts';
import { median, round } from '../support/statistics.ts';
import {
  type BareFigures,
  type MediaCase,
  type MediaFigures,
  type MediaPrograms,
  measureBare,
  measureMedia,
  serviceArgs,
} from './media.ts';
import { setUpsPerSecond } from './set-ups.ts';
import { block, capturedMs, lateMs, rounds } from './settings.ts';

/**
 * Measures the limits of @va/sip from outside: call set-ups per second, and how late the frames of many calls are. The
 * callers are SIPp (Debian package `sip-tester`), and for SRTP processes made of parts of @va/sip. Frames are compared
 * with a capture on loopback (Debian package `tshark`). Arguments select parts: set-ups, bare, 500, srtp, blocked.
 */
const parts = process.argv.slice(2);
const isAsked = (part: string): boolean => parts.length === 0 || parts.includes(part);
const scriptOf = (name: string): Promise<string> => bundle(new URL(`./${name}.ts`, import.meta.url), `sip-${name}`);
const programs: MediaPrograms = {
  service: await scriptOf('service'),
  secureCallers: await scriptOf('secure-callers'),
  deafVad: await scriptOf('deaf-vad'),
  bareStreams: await scriptOf('bare-streams'),
};
const answering = await scriptOf('answering');

const megabytes = (value: number): string => `${value.toFixed(0)} MB`;
const milliseconds = (value: number): string => `${value.toFixed(1)} ms`;

function showStreams(what: string, figures: BareFigures): void {
  const { streams, frames, latePct, p99Ms, p999Ms, maxMs, dropped, threads } = figures;
  const shares = threads.map(({ thread, corePct }) => `${thread} ${corePct.toFixed(0)} %`);
  console.log(
    [
      `\n${what}`,
      `  ${streams} streams, ${frames} frames in ${capturedMs / 1_000} s, ${dropped} missed by the capture`,
      `  late (> ${lateMs} ms): ${latePct.toFixed(3)} %; p99 ${milliseconds(p99Ms)}, p99.9 ` +
        `${milliseconds(p999Ms)}, at most ${milliseconds(maxMs)}`,
      `  threads, of a processor each: ${shares.join(', ')}`,
    ].join('\n'),
  );
}

async function show(what: string, each: MediaCase): Promise<MediaFigures> {
  const figures = await measureMedia(programs, each);
  const { maxDeltaMs, maxJitterMs, memory } = figures;
  showStreams(`${what}; detector: ${each.detector}`, figures);
  console.log(
    [
      `  by tshark, the worst stream: delta ${milliseconds(maxDeltaMs)}, jitter ${milliseconds(maxJitterMs)}`,
      `  memory: ${megabytes(memory.rssMb)} in all, ${figures.mbPerCall.toFixed(2)} MB per call; heap ` +
        `${megabytes(memory.heapMb)}`,
    ].join('\n'),
  );
  return figures;
}

/** Returns the median of several rounds, for figures with a goal. */
async function latePctOf(what: string, each: MediaCase): Promise<number> {
  const measured: number[] = [];
  while (measured.length < rounds) measured.push((await show(what, each)).latePct);
  return median(measured);
}

console.log(`processors: ${await keepAwake()}`);
console.log(`callers and capture on a processor of their own: ${pinned}`);
let setUps = Number.NaN;
let lateBare = Number.NaN;
let late500 = Number.NaN;
let lateSrtp300 = Number.NaN;
let lateBlocked = Number.NaN;
if (isAsked('set-ups')) {
  setUps = await setUpsPerSecond('@va/sip', [answering]);
  const whole = await setUpsPerSecond('the whole service', serviceArgs(programs, 'off'));
  console.log(`set-ups per second: ${setUps} by @va/sip, ${whole} by the whole service`);
}
if (isAsked('bare')) {
  const bare = await measureBare(programs, 500);
  showStreams('500 streams with nothing around them', bare);
  lateBare = bare.latePct;
}
if (isAsked('500')) {
  late500 = await latePctOf('500 calls with G.711', { calls: 500, detector: 'off' });
  await show('500 calls with G.711', { calls: 500, detector: 'silero' });
}
if (isAsked('srtp')) {
  lateSrtp300 = await latePctOf('300 calls with SRTP', { calls: 300, detector: 'off', isSecure: true });
  await show('300 calls with SRTP', { calls: 300, detector: 'silero', isSecure: true });
}
if (isAsked('blocked')) {
  const what = `100 calls, the main thread blocked for ${block.forMs} ms every ${block.everyMs} ms`;
  lateBlocked = await latePctOf(what, { calls: 100, detector: 'silero', isBlocked: true });
}
console.log(
  JSON.stringify({
    setups_per_s: setUps,
    late_pct_500: round(late500, 3),
    late_pct_srtp_300: round(lateSrtp300, 3),
    late_pct_blocked: round(lateBlocked, 3),
    late_pct_bare_500: round(lateBare, 3),
  }),
);
process.exit(0);
