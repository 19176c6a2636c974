import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onnxTurnModel } from '@va/providers/onnx-turn-model';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LogMelFeatures } from '../../src/onnx-turn-model/log-mel.ts';
import { loadOnnxRuntime } from '../../src/onnx-turn-model/onnx-runtime.ts';
import { type OnnxGraph, onnxFile } from './onnx-file.ts';

type Model = ReturnType<typeof onnxTurnModel>;

const isInstalled = await loadOnnxRuntime().then(
  () => true,
  () => false,
);
if (!isInstalled) console.warn('ONNX models are not tested: onnxruntime-node is not installed (npm run natives).');

const inputs = 80 * 800;
const weights = Float32Array.from({ length: inputs }, (_, i) => Math.sin(i) / 200);
const bias = 0.25;
const { signal } = new AbortController();

/** A network of one layer over all features, of the shape of Smart Turn v3. */
function network({ shape = ['batch', 80, 800] as (number | string)[], isLogit = false } = {}): OnnxGraph {
  const sum = isLogit ? 'logits' : 'sum';
  return {
    inputs: [{ name: 'input_features', shape }],
    outputs: [{ name: 'logits', shape: ['batch', 1] }],
    nodes: [
      { operator: 'Flatten', inputs: ['input_features'], outputs: ['flat'], integers: { axis: [1] } },
      { operator: 'MatMul', inputs: ['flat', 'weights'], outputs: ['product'] },
      { operator: 'Add', inputs: ['product', 'bias'], outputs: [sum] },
      ...(isLogit ? [] : [{ operator: 'Sigmoid', inputs: [sum], outputs: ['logits'] }]),
    ],
    weights: [
      { name: 'weights', shape: [inputs, 1], values: weights },
      { name: 'bias', shape: [1], values: Float32Array.of(bias) },
    ],
  };
}

/** Telephone audio of some seconds. */
function audio(seconds: number, hz = 300): Int16Array {
  return Int16Array.from({ length: seconds * 8_000 }, (_, i) =>
    Math.round(9_000 * Math.sin((2 * Math.PI * hz * i) / 8_000)),
  );
}

/** The result of the network, computed here. */
function expectedFor(samples: Int16Array): number {
  const features = new LogMelFeatures().compute(samples, 8_000);
  const sum = features.reduce((total, value, i) => total + value * (weights[i] ?? 0), bias);
  return 1 / (1 + Math.exp(-sum));
}

let dir = '';
const models: Model[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-turn-model-'));
});

afterEach(async () => {
  for (const model of models.splice(0)) await model.close?.();
});

afterAll(async () => {
  await rm(dir, { recursive: true });
});

async function store(name: string, graph: OnnxGraph): Promise<string> {
  const file = join(dir, name);
  await writeFile(file, onnxFile(graph));
  return file;
}

async function opened(options: Parameters<typeof onnxTurnModel>[0]): Promise<Model> {
  const model = onnxTurnModel(options);
  models.push(model);
  await model.open?.();
  return model;
}

function judge(model: Model, samples: Int16Array): Promise<number> {
  return model.judge({ audio: samples, sampleRateHz: 8_000, text: '', language: undefined, signal });
}

describe.skipIf(!isInstalled)('a turn model of an ONNX file', () => {
  it('returns what the network computes of the log-mel features', async () => {
    const model = await opened({ file: await store('turn.onnx', network()) });
    expect(model).toMatchObject({ id: 'onnx' });
    for (const [seconds, hz] of [
      [0.5, 300],
      [3, 1_200],
      [8, 700],
    ] as const) {
      const expected = expectedFor(audio(seconds, hz));
      expect(expected).toBeGreaterThan(0.01);
      expect(expected).toBeLessThan(0.99);
      expect(await judge(model, audio(seconds, hz))).toBeCloseTo(expected, 4);
    }
  });

  it('judges several calls at the same time on several threads', async () => {
    const model = await opened({ file: pathToFileURL(await store('turn.onnx', network())), threads: 2, id: 'two' });
    expect(model.id).toBe('two');
    const lengths = [1, 2, 3, 4, 5, 6, 7, 8];
    const answers = await Promise.all(lengths.map((seconds) => judge(model, audio(seconds))));
    for (const [i, seconds] of lengths.entries()) expect(answers[i]).toBeCloseTo(expectedFor(audio(seconds)), 4);
  });

  it('converts logits, and refuses them where probabilities are expected', async () => {
    const graph = network({ isLogit: true });
    graph.weights[1]?.values.fill(4);
    const file = await store('logit.onnx', graph);
    const model = await opened({ file, output: 'logit' });
    const answer = await judge(model, audio(1));
    expect(answer).toBeGreaterThan(0);
    expect(answer).toBeLessThan(1);
    await expect(opened({ file })).rejects.toMatchObject({
      code: 'turn_model_shape',
      message: expect.stringContaining("set output: 'logit'"),
    });
  });

  it('is refused when the network has another input', async () => {
    const file = await store('narrow.onnx', network({ shape: [1, 40, 1_600] }));
    await expect(opened({ file })).rejects.toMatchObject({
      code: 'turn_model_shape',
      message: expect.stringMatching(/must take float32\[1, 80, 800\] and return one number: .*dimensions/s),
    });
  });

  it('is refused when the file is missing, or is no ONNX model', async () => {
    await expect(opened({ file: join(dir, 'missing.onnx') })).rejects.toMatchObject({
      code: 'turn_model_file',
      message: expect.stringMatching(/cannot be read: ENOENT.*missing\.onnx/),
    });
    const file = join(dir, 'text.onnx');
    await writeFile(file, 'no model');
    await expect(opened({ file })).rejects.toMatchObject({
      code: 'turn_model_file',
      message: expect.stringContaining('text.onnx is not a valid ONNX model'),
    });
  });

  it('finishes the running request when it is closed', async () => {
    const model = await opened({ file: await store('turn.onnx', network()) });
    const answer = judge(model, audio(8));
    await model.close?.();
    expect(await answer).toBeCloseTo(expectedFor(audio(8)), 4);
  });

  it('rejects requests once it is closed', async () => {
    const model = await opened({ file: await store('turn.onnx', network()) });
    await model.close?.();
    await expect(judge(model, audio(1))).rejects.toMatchObject({ code: 'turn_model_closed' });
  });
});

describe('the settings of a turn model of an ONNX file', () => {
  it.each([0, 1.5, 65, Number.NaN])('refuse %d threads', (threads) => {
    expect(() => onnxTurnModel({ file: 'turn.onnx', threads })).toThrow('threads: must be an integer from 1 to 64');
  });
});
