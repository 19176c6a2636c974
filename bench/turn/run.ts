import { fork } from 'node:child_process';
import { bundleSources } from '../../scripts/bundle-sources.mjs';
import { keepAwake } from '../support/awake.ts';
import { answeringAtOnce, startBenchService } from '../support/bench-service.ts';
import { hrClock } from '../support/hr-clock.ts';
import { median, percentile, round } from '../support/statistics.ts';
import type { CallerFigures } from './callers.ts';
import { calls, endpointingMs, interruptionMs, turnsPerCall } from './settings.ts';
import { withTools } from './tool-starts.ts';

/**
 * Measures the latency that the pipeline adds to a turn: ten calls over real SIP and RTP on loopback, the callers in
 * another process; recognizer, model and synthesizer answer at once. The detector is exact to the frame, without the
 * network's hangover, at the cost of Silero for every window. One more run calls a tool of the host in every turn and
 * measures the time from the model's tool call to the start of the tool.
 */
const runs = 5;
const number = '+31201234567';

interface RunFigures {
  readonly turnMs: number[];
  readonly rtpMs: readonly number[];
  readonly bargeMs: number[];
  readonly cpuPerCall: number;
}

const turns = [...Array.from({ length: turnsPerCall }, () => 'turn'), 'story', 'stop'];

async function run(): Promise<RunFigures> {
  const { va, target } = await startBenchService({
    ...{ number, endpointingMs, interruptionMs },
    providers: answeringAtOnce({ turns, reply: 'Okay.' }),
  });

  const turnMs: number[] = [];
  const interruptedAtMs = new Map<string, number>();
  const from = new Map<string, string>();
  va.events.on('call.created', ({ call }) => from.set(call.id, call.caller_phone ?? ''));
  va.events.on('call.notice', ({ callId, notice }) => {
    if (notice.type === 'latency') turnMs.push((notice.turn.first_audio_ms ?? Number.NaN) - endpointingMs);
    if (notice.type === 'interrupted') interruptedAtMs.set(from.get(callId) ?? '', hrClock.nowMs());
  });

  const cpuBefore = process.cpuUsage();
  const startedAtMs = hrClock.nowMs();
  const figures = await callersAt(target);
  const { user, system } = process.cpuUsage(cpuBefore);
  const tookMs = hrClock.nowMs() - startedAtMs;
  await va.close();
  const bargeMs = [...interruptedAtMs].map(([caller, atMs]) =>
    Math.max(0, (figures.lastAgentFrameAtMs[caller] ?? Number.POSITIVE_INFINITY) - atMs),
  );
  return { turnMs, rtpMs: figures.rtpMs, bargeMs, cpuPerCall: (user + system) / 10 / tookMs / calls };
}

/** Returns the times from the model's tool call to the start of the tool, in milliseconds. */
async function toolStarts(): Promise<readonly number[]> {
  const { providers, tools, startMs } = withTools(turns);
  const service = { number, endpointingMs, interruptionMs, providers, ...(tools && { tools }) };
  const { va, target } = await startBenchService(service);
  await callersAt(target);
  await va.close();
  return startMs;
}

async function callersAt(target: string): Promise<CallerFigures> {
  const program = await bundleSources(new URL('./callers.ts', import.meta.url), 'source');
  return await new Promise((resolve, reject) => {
    const child = fork(program, [target]);
    child.once('message', (figures) => resolve(figures as CallerFigures));
    child.once('exit', (code) => reject(new Error(`the callers ended with ${code}`)));
  });
}

console.log(`processors: ${await keepAwake()}`);
console.log(`${runs} runs of ${calls} calls with ${turnsPerCall} turns each; milliseconds\n`);
console.log('run   turns   turn p50   turn p95   rtp p50   rtp p95   barge-ins   barge max   CPU/call');
const all: RunFigures[] = [];
for (let index = 1; index <= runs; index++) {
  const figures = await run();
  all.push(figures);
  const { turnMs, rtpMs, bargeMs, cpuPerCall } = figures;
  const columns = [
    String(turnMs.length).padStart(8),
    ...[percentile(turnMs, 0.5), percentile(turnMs, 0.95)].map((ms) => ms.toFixed(2).padStart(11)),
    ...[percentile(rtpMs, 0.5), percentile(rtpMs, 0.95)].map((ms) => ms.toFixed(2).padStart(10)),
    String(bargeMs.length).padStart(12),
    Math.max(...bargeMs)
      .toFixed(2)
      .padStart(12),
    `${cpuPerCall.toFixed(2)} %`.padStart(11),
  ];
  console.log(`${String(index).padStart(3)}${columns.join('')}`);
}
const startMs = await toolStarts();
const [p50, p95] = [0.5, 0.95].map((share) => percentile([...startMs], share).toFixed(3));
console.log(`\n${startMs.length} tool calls: start after p50 ${p50}, p95 ${p95}`);
const medianOf = (figure: (each: RunFigures) => number): number => round(median(all.map(figure)));
console.log('\nMedians of the runs:');
console.log(
  JSON.stringify({
    turn_p50_ms: medianOf(({ turnMs }) => percentile(turnMs, 0.5)),
    turn_p95_ms: medianOf(({ turnMs }) => percentile(turnMs, 0.95)),
    rtp_p95_ms: medianOf(({ rtpMs }) => percentile(rtpMs, 0.95)),
    barge_ms: medianOf(({ bargeMs }) => Math.max(...bargeMs)),
    tool_start_p95_ms: Math.round(percentile([...startMs], 0.95) * 1_000) / 1_000,
  }),
);
