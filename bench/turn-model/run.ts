import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TurnModel } from '@va/core/adapter';
import { onnxTurnModel } from '@va/providers/onnx-turn-model';
import { encoderNetwork, smallestNetwork } from './stand-in.ts';

// Time and CPU of a request to a turn model of an ONNX file, with features and the way to its worker thread and back.
// The networks have random weights. The first argument is a file to measure beside them, such as Smart Turn v3. Needs
// onnxruntime-node (npm run natives).
const requests = 100;
const turnSeconds = [2, 8] as const;
const { signal } = new AbortController();

/** Returns a rising tone; the content of the audio does not change the time of a request. */
function turn(seconds: number): Int16Array {
  return Int16Array.from({ length: seconds * 8_000 }, (_, i) => Math.round(9_000 * Math.sin(i ** 2 / 100_000)));
}

/** Requests a judgement. The model takes ownership of the audio, so each request gets a copy. */
async function judge(model: TurnModel, samples: Int16Array): Promise<void> {
  await model.judge({ audio: samples.slice(), sampleRateHz: 8_000, text: '', language: undefined, signal });
}

interface Figures {
  readonly p50: number;
  readonly p95: number;
  readonly cpu: number;
}

async function figuresOf(model: TurnModel, seconds: number): Promise<Figures> {
  const samples = turn(seconds);
  for (let warm = 0; warm < 20; warm++) await judge(model, samples);
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let request = 0; request < requests; request++) {
    const startedAtMs = performance.now();
    await judge(model, samples);
    times.push(performance.now() - startedAtMs);
  }
  const { user, system } = process.cpuUsage(before);
  times.sort((a, b) => a - b);
  const quantile = (share: number): number => Number(times[Math.floor((requests - 1) * share)]?.toFixed(1));
  return { p50: quantile(0.5), p95: quantile(0.95), cpu: Number(((user + system) / 1_000 / requests).toFixed(1)) };
}

const dir = await mkdtemp(join(tmpdir(), 'va-turn-model-'));
const files = { features: join(dir, 'smallest.onnx'), network: join(dir, 'encoder.onnx') };
await writeFile(files.features, smallestNetwork());
await writeFile(files.network, encoderNetwork());
const [given] = process.argv.slice(2);
const result: Record<string, number> = {};
console.log(`A request to a turn model, ${requests} each: milliseconds p50 / p95, and milliseconds of CPU`);
for (const [name, file] of Object.entries({ ...files, ...(given === undefined ? {} : { given }) })) {
  const model = onnxTurnModel({ file });
  await model.open?.();
  for (const seconds of turnSeconds) {
    const { p50, p95, cpu } = await figuresOf(model, seconds);
    console.log(`  ${name}, turn of ${seconds} s: ${p50} / ${p95}   CPU ${cpu}`);
    Object.assign(result, { [`${name}_${seconds}s_p50_ms`]: p50, [`${name}_${seconds}s_p95_ms`]: p95 });
  }
  await model.close?.();
}
await rm(dir, { recursive: true });
console.log(JSON.stringify(result));
