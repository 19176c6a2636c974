import { BeepDetector } from '../../src/dsp/beep-detector.ts';
import { heapGrowth } from '../support/heap-growth.ts';

/** Prints the bytes that the beep detector allocates per 20 ms frame of tones and silence. */
const frameSamples = 160;
const toneHz = [1_000, 0, 800];
const frames = toneHz.flatMap((hz) =>
  Array.from({ length: 50 }, (_, frame) =>
    Int16Array.from({ length: frameSamples }, (_, i) =>
      Math.round(4_000 * Math.sin((2 * Math.PI * hz * (frame * frameSamples + i)) / 8_000)),
    ),
  ),
);
const detector = new BeepDetector();
const passes = 50;

function pass(): void {
  for (let i = 0; i < passes; i++) for (const frame of frames) detector.push(frame);
}

console.log(heapGrowth(pass, passes * frames.length, 80));
