import { loadSileroVad, vadWindowSamples } from '../../src/vad/silero.ts';
import { heapGrowth } from '../support/heap-growth.ts';

/** Prints the bytes that voice activity detection allocates per window of audio. */
const windows = Array.from({ length: 100 }, (_, window) =>
  Int16Array.from({ length: vadWindowSamples }, (_, i) =>
    Math.round(8_000 * Math.sin((window * vadWindowSamples + i) / 7)),
  ),
);
const stream = loadSileroVad().createStream();
const passes = 20;

function pass(): void {
  for (let i = 0; i < passes; i++) for (const window of windows) stream.probability(window);
}

console.log(heapGrowth(pass, passes * windows.length, 64));
