import { loadSileroVad } from '@va/core';

// CPU time of the VAD for one 32 ms window: many streams in turn, as in a server full of calls.
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

function cpuMsPerWindow(): number {
  const before = process.cpuUsage();
  for (let turn = 0; turn < windowsPerStream; turn++) {
    for (const call of calls) call.probability(windows[turn % windows.length] as Int16Array);
  }
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1_000 / (streams * windowsPerStream);
}

cpuMsPerWindow();
const figures = Array.from({ length: runs }, cpuMsPerWindow).sort((a, b) => a - b);
const median = figures[Math.floor(runs / 2)] as number;
console.log(`Silero VAD, 8 kHz: CPU per 32 ms window, ${runs} runs of ${streams * windowsPerStream} windows`);
console.log(
  `  best ${figures[0]?.toFixed(4)} ms   median ${median.toFixed(4)} ms   worst ${figures.at(-1)?.toFixed(4)} ms`,
);
console.log(`  streams per core ${Math.floor(32 / median)}`);
console.log(JSON.stringify({ vad_ms_per_window: Number(median.toFixed(4)) }));
