// @ts-check
// One decoder per channel. Takes { channel, type: 'open', dictionary, jsgf } | { channel, type: 'start' | 'end' | 'close' }
// | { channel, type: 'audio', samples } with samples at 8 kHz; answers { channel, type: 'partial', text },
// { channel, type: 'ended', text } to every 'end', and { channel, type: 'failed', error }.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { Doubler } from './halfband.js';
import { Wasi } from './wasi.js';

/** @param {string} name */
const asset = (name) => readFileSync(new URL(`../assets/${name}`, import.meta.url));
const modelFiles = ['mdef', 'means', 'variances', 'sendump', 'transition_matrices', 'feat.params', 'noisedict'];
const bufferSamples = 4_096;

class Engine {
  constructor() {
    const files = modelFiles.map((name) => [
      `model/${name}`,
      new Uint8Array(brotliDecompressSync(asset(`en-us/${name}.br`))),
    ]);
    this.wasi = new Wasi({ files: Object.fromEntries(files) });
    const module = new WebAssembly.Module(asset('pocketsphinx.wasm'));
    this.exports = /** @type {any} */ (new WebAssembly.Instance(module, this.wasi.imports).exports);
    this.wasi.memory = this.exports.memory;
    this.exports._initialize();
    this.buffer = this.exports.allocate(bufferSamples * 2);
  }

  /** Runs `use` with a pointer to a zero-terminated copy of each text. @param {string[]} texts @param {(...pointers: number[]) => number} use */
  withTexts(texts, use) {
    const pointers = texts.map((text) => {
      const bytes = new TextEncoder().encode(`${text}\0`);
      const pointer = this.exports.allocate(bytes.length);
      this.wasi.bytes.set(bytes, pointer);
      return pointer;
    });
    const result = use(...pointers);
    for (const pointer of pointers) this.exports.release(pointer);
    return result;
  }

  /** @param {string} dictionary @param {string} jsgf */
  createDecoder(dictionary, jsgf) {
    this.wasi.addFile('dictionary', new TextEncoder().encode(dictionary));
    const decoder = this.withTexts(['/dictionary', jsgf], this.exports.create_decoder);
    this.wasi.removeFile('dictionary');
    if (decoder === 0) throw new Error('The grammar is not valid JSGF, or has no public rule.');
    return decoder;
  }
}

class Decoder {
  /** @param {Engine} engine @param {string} dictionary @param {string} jsgf */
  constructor(engine, dictionary, jsgf) {
    this.engine = engine;
    this.pointer = engine.createDecoder(dictionary, jsgf);
    this.resampler = new Doubler();
  }

  start() {
    this.resampler = new Doubler();
    this.engine.exports.start_utterance(this.pointer);
  }

  /** @param {Int16Array} samples */
  process(samples) {
    const doubled = this.resampler.double(samples);
    const { exports, buffer, wasi } = this.engine;
    for (let at = 0; at < doubled.length; at += bufferSamples) {
      const part = doubled.subarray(at, at + bufferSamples);
      new Int16Array(/** @type {ArrayBuffer} */ (wasi.memory?.buffer), buffer, part.length).set(part);
      exports.process(this.pointer, buffer, part.length);
    }
  }

  end() {
    this.engine.exports.end_utterance(this.pointer);
  }

  get text() {
    const at = this.engine.exports.hypothesis(this.pointer);
    if (at === 0) return '';
    return this.engine.wasi.text(at, this.engine.wasi.bytes.indexOf(0, at) - at).trim();
  }

  free() {
    this.engine.exports.free_decoder(this.pointer);
  }
}

/** @type {Engine | undefined} */
let engine;
/** @type {Map<number, { decoder: Decoder, partial: string }>} */
const channels = new Map();

/** @param {any} message */
function handle(message) {
  const { channel, type } = message;
  if (type === 'open') {
    engine ??= new Engine();
    channels.set(channel, { decoder: new Decoder(engine, message.dictionary, message.jsgf), partial: '' });
    return;
  }
  const entry = channels.get(channel);
  if (entry === undefined) return;
  const { decoder } = entry;
  if (type === 'start') {
    entry.partial = '';
    decoder.start();
  } else if (type === 'audio') {
    decoder.process(message.samples);
    const { text } = decoder;
    if (text !== entry.partial) {
      entry.partial = text;
      parentPort?.postMessage({ channel, type: 'partial', text });
    }
  } else if (type === 'end') {
    decoder.end();
    parentPort?.postMessage({ channel, type: 'ended', text: decoder.text });
  } else if (type === 'close') {
    channels.delete(channel);
    decoder.free();
  }
}

parentPort?.on('message', (message) => {
  try {
    handle(message);
  } catch (thrown) {
    const { channel } = message;
    const entry = channels.get(channel);
    channels.delete(channel);
    entry?.decoder.free();
    parentPort?.postMessage({ channel, type: 'failed', error: String(thrown) });
  }
});
