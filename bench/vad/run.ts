import { loadSileroVad } from '@va/media';
import { SpeechTailMeter } from '../../packages/media/src/dsp/speech-tail.ts';
import { median } from '../support/statistics.ts';

// CPU time of the VAD per window of 32 ms, for many alternating streams, as in a server full of calls, and of the
// analysis of how speech ends, once per pause of a caller.
const windowSamples = 256;
const streams = 50;
const windowsPerStream = 100;
const runs = 7;

const model = loadSileroVad();
const calls = Array.from({ length: streams }, () => model.createStream());
const windows = Array.from({ length: 64 }, (_, index) =>
  Int16Array.from(
    { length: windowSamples },
    (_, i) => 6_000 * Math.sin((i + index * windowSamples) * (0.05 + index / 500)),
  ),
);

const heard = new Float64Array(streams);

function oneByOne(turn: number): void {
  for (const call of calls) call.probability(windows[turn % windows.length] as Int16Array);
}

function together(turn: number): void {
  const window = windows[turn % windows.length] as Int16Array;
  model.judge(
    calls,
    calls.map(() => window),
    heard,
  );
}

function cpuMsPerWindow(hear: (turn: number) => void): number {
  const before = process.cpuUsage();
  for (let turn = 0; turn < windowsPerStream; turn++) hear(turn);
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1_000 / (streams * windowsPerStream);
}

function measure(name: string, hear: (turn: number) => void): number {
  cpuMsPerWindow(hear);
  const figures = Array.from({ length: runs }, () => cpuMsPerWindow(hear)).sort((a, b) => a - b);
  const middle = median(figures);
  const [best, worst] = [figures[0], figures.at(-1)].map((figure) => figure?.toFixed(4));
  const perCore = Math.floor(32 / middle);
  console.log(
    `  ${name}: best ${best} ms   median ${middle.toFixed(4)} ms   worst ${worst} ms   streams per core ${perCore}`,
  );
  return Number(middle.toFixed(4));
}

console.log(`Silero VAD, 8 kHz: CPU per 32 ms window, ${runs} runs of ${streams * windowsPerStream} windows`);
const alone = measure('one by one', oneByOne);
const batched = measure('together  ', together);

/** Time between two pauses of a caller, in calls where one side speaks half of the time and pauses every 3 s. */
const msPerPause = 6_000;
const frame = 160;
const pauses = 500;

/** Returns a meter that has received 1.2 s of a voice with harmonics and a falling pitch. */
function heardTail(): SpeechTailMeter {
  const meter = new SpeechTailMeter();
  let phase = 0;
  for (let at = 0; at < 1_200 * 8; at += frame) {
    const samples = Int16Array.from({ length: frame }, (_, i) => {
      phase += (2 * Math.PI * (180 - (at + i) / 200)) / 8_000;
      return 4_000 * Math.sin(phase) + 2_000 * Math.sin(2 * phase) + 1_000 * Math.sin(3 * phase);
    });
    meter.push(samples);
  }
  return meter;
}

const meter = heardTail();

function cpuMsPerPause(): number {
  const before = process.cpuUsage();
  for (let n = 0; n < pauses; n++) meter.measure(100 + (n % 50));
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1_000 / pauses;
}

cpuMsPerPause();
const tailMs = median(Array.from({ length: runs }, cpuMsPerPause));
const tailCorePct = (100 * tailMs) / msPerPause;
console.log(`End of speech: median ${tailMs.toFixed(3)} ms per pause, ${tailCorePct.toFixed(4)} % of a core per call`);
console.log(
  JSON.stringify({
    vad_ms_per_window: alone,
    vad_ms_per_window_together: batched,
    tail_ms_per_pause: Number(tailMs.toFixed(3)),
    tail_core_pct_per_call: Number(tailCorePct.toFixed(4)),
  }),
);
