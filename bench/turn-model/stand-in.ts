import {
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
  onnxFile,
} from '../../packages/providers/test/onnx-turn-model/onnx-file.ts';

/** Dimensions of the encoder of Whisper Tiny, on 8 s of audio. */
const width = 384;
const layers = 4;
const [bands, frames] = [80, 800] as const;

/** Collects the nodes of a graph, with random weights. */
class GraphBuilder {
  readonly nodes: OnnxNode[] = [];
  readonly weights: OnnxTensor[] = [];
  #seed = 1;
  #names = 0;

  /** Adds a node and returns the name of its output. */
  add(operator: string, inputs: readonly string[], integers: OnnxNode['integers'] = {}, output?: string): string {
    this.#names += 1;
    const name = output ?? `value${this.#names}`;
    this.nodes.push({ operator, inputs, outputs: [name], integers });
    return name;
  }

  weight(...shape: readonly number[]): string {
    const count = shape.reduce((product, size) => product * size, 1);
    const name = `weight${this.weights.length}`;
    this.weights.push({ name, shape, values: Float32Array.from({ length: count }, () => this.#random()) });
    return name;
  }

  /** Returns a number of a linear congruential generator, from -0.025 to 0.025. */
  #random(): number {
    this.#seed = (this.#seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return (this.#seed / 2 ** 31 - 0.5) / 20;
  }

  linear(input: string, from: number, to: number): string {
    return this.add('MatMul', [input, this.weight(from, to)]);
  }
}

function encoderLayer(graph: GraphBuilder, input: string): string {
  const [query, key, value] = [0, 1, 2].map(() => graph.linear(input, width, width)) as [string, string, string];
  const scores = graph.add('MatMul', [query, graph.add('Transpose', [key], { perm: [0, 2, 1] })]);
  const attended = graph.add('MatMul', [graph.add('Softmax', [scores]), value]);
  const mixed = graph.add('Add', [input, graph.linear(attended, width, width)]);
  const hidden = graph.add('Relu', [graph.linear(mixed, width, 4 * width)]);
  return graph.add('Add', [mixed, graph.linear(hidden, 4 * width, width)]);
}

function interfaceOf(graph: GraphBuilder): OnnxGraph {
  return {
    inputs: [{ name: 'input_features', shape: [1, bands, frames] }],
    outputs: [{ name: 'logits', shape: [1, 1] }],
    nodes: graph.nodes,
    weights: graph.weights,
  };
}

/** Returns a network of the size of Smart Turn v3, in 32-bit floats: two convolutions and four layers of attention. */
export function encoderNetwork(): Uint8Array {
  const graph = new GraphBuilder();
  const convolve = (input: string, from: number, stride: number): string => {
    const integers = { pads: [1, 1], strides: [stride], kernel_shape: [3] };
    return graph.add('Relu', [graph.add('Conv', [input, graph.weight(width, from, 3)], integers)]);
  };
  const convolved = convolve(convolve('input_features', bands, 1), width, 2);
  let states = graph.add('Transpose', [convolved], { perm: [0, 2, 1] });
  for (let layer = 0; layer < layers; layer++) states = encoderLayer(graph, states);
  const mean = graph.add('ReduceMean', [states], { axes: [1], keepdims: [0] });
  graph.add('Sigmoid', [graph.linear(mean, width, 1)], {}, 'logits');
  return onnxFile(interfaceOf(graph));
}

/** Returns a network that costs next to nothing, so that a request costs what its features cost. */
export function smallestNetwork(): Uint8Array {
  const graph = new GraphBuilder();
  const flat = graph.add('Flatten', ['input_features'], { axis: [1] });
  graph.add('Sigmoid', [graph.linear(flat, bands * frames, 1)], {}, 'logits');
  return onnxFile(interfaceOf(graph));
}
