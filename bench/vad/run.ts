import { loadSileroVad } from '@va/media';

// CPU time of the VAD per window of 32 ms, for many alternating streams, as in a server full of calls.
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
  const median = figures[Math.floor(runs / 2)] as number;
  const [best, worst] = [figures[0], figures.at(-1)].map((figure) => figure?.toFixed(4));
  const perCore = Math.floor(32 / median);
  console.log(
    `  ${name}: best ${best} ms   median ${median.toFixed(4)} ms   worst ${worst} ms   streams per core ${perCore}`,
  );
  return Number(median.toFixed(4));
}

console.log(`Silero VAD, 8 kHz: CPU per 32 ms window, ${runs} runs of ${streams * windowsPerStream} windows`);
const alone = measure('one by one', oneByOne);
const batched = measure('together  ', together);
console.log(JSON.stringify({ vad_ms_per_window: alone, vad_ms_per_window_together: batched }));
