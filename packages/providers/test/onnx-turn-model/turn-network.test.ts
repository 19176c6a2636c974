import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { InferenceStart } from '../../src/onnx-turn-model/messages.ts';
import { loadOnnxRuntime, type OnnxRuntime } from '../../src/onnx-turn-model/onnx-runtime.ts';
import { TurnNetwork } from '../../src/onnx-turn-model/turn-network.ts';

const file = fileURLToPath(import.meta.url);
const silence = { audio: new Int16Array(800), sampleRateHz: 8_000 };

/** A runtime whose network returns these values, and which records its inputs. */
function runtimeOf(outputs: readonly number[], { inputNames = ['x'], fails = '' } = {}) {
  const shapes: (readonly number[])[] = [];
  let released = 0;
  const runtime: OnnxRuntime = {
    InferenceSession: {
      async create() {
        if (fails !== '') throw new Error(fails);
        return {
          inputNames,
          outputNames: ['y'],
          run: async () => ({ y: { data: Float32Array.from(outputs) } }),
          release: async () => {
            released += 1;
          },
        };
      },
    },
    Tensor: class {
      readonly data: Float32Array;
      constructor(_type: 'float32', data: Float32Array, shape: readonly number[]) {
        this.data = data;
        shapes.push(shape);
      }
    },
  };
  return { runtime, shapes, released: () => released };
}

async function load(runtime: OnnxRuntime, start: Partial<InferenceStart> = {}): Promise<TurnNetwork> {
  return await TurnNetwork.load(runtime, { file, output: 'probability', ...start });
}

describe('a turn network', () => {
  it('is run when it is loaded, with an input of [1, 80, 800]', async () => {
    const { runtime, shapes } = runtimeOf([0.5]);
    const network = await load(runtime);
    expect(shapes[0]).toEqual([1, 80, 800]);
    expect(await network.judge(silence)).toBe(0.5);
  });

  it('converts a logit to a probability', async () => {
    const { runtime } = runtimeOf([2]);
    expect(await (await load(runtime, { output: 'logit' })).judge(silence)).toBeCloseTo(0.880797, 6);
  });

  it.each([
    { outputs: [3.5], options: {}, message: /returned 3\.5, which is not a probability.*output: 'logit'/ },
    { outputs: [0.1, 0.9], options: {}, message: /returned 2 values/ },
    { outputs: [], options: {}, message: /returned 0 values/ },
    { outputs: [Number.NaN], options: {}, message: /the first being NaN/ },
    { outputs: [0.5], options: { inputNames: ['audio', 'mask'] }, message: /the network has 2 inputs/ },
  ])('is refused and released when it does not fit ($message)', async ({ outputs, options, message }) => {
    const { runtime, released } = runtimeOf(outputs, options);
    await expect(load(runtime)).rejects.toMatchObject({
      code: 'turn_model_shape',
      message: expect.stringMatching(message),
    });
    expect(released()).toBe(1);
  });

  it('is refused when its file is missing, or is no model', async () => {
    await expect(load(runtimeOf([1]).runtime, { file: '/no/such.onnx' })).rejects.toMatchObject({
      code: 'turn_model_file',
      message: expect.stringContaining('/no/such.onnx'),
    });
    await expect(load(runtimeOf([1], { fails: 'Protobuf parsing failed.' }).runtime)).rejects.toMatchObject({
      code: 'turn_model_file',
      message: expect.stringContaining('is not a valid ONNX model: Protobuf parsing failed.'),
    });
  });
});

describe('the runtime of ONNX models', () => {
  it('is named in the error when it is not installed', async () => {
    await expect(loadOnnxRuntime('onnxruntime-that-is-missing')).rejects.toMatchObject({
      code: 'turn_model_runtime',
      message: expect.stringMatching(/cannot be loaded: .*npm install onnxruntime-that-is-missing/s),
    });
    await expect(loadOnnxRuntime('node:path')).rejects.toMatchObject({ code: 'turn_model_runtime' });
  });
});
