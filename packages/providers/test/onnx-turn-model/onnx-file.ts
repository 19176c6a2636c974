/**
 * Writes ONNX files: the few messages and fields of the format that small networks need.
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */

/** Wire types of Protocol Buffers. */
const varintType = 0;
const bytesType = 2;
/** `TensorProto.DataType.FLOAT` */
const floatType = 1;

type Dimension = number | string;

export interface OnnxTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** A value of the graph's interface; a dimension with a name is free. */
interface OnnxValue {
  readonly name: string;
  readonly shape: readonly Dimension[];
}

export interface OnnxNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Attributes that are lists of integers. */
  readonly integers?: Readonly<Record<string, readonly number[]>>;
}

export interface OnnxGraph {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly nodes: readonly OnnxNode[];
  readonly weights: readonly OnnxTensor[];
}

/** Returns the bytes of a model file with operators of set 13. */
export function onnxFile(graph: OnnxGraph): Uint8Array {
  const parts = [
    ...graph.nodes.map((node) => field(1, nodeProto(node))),
    field(2, text('turn')),
    ...graph.weights.map((tensor) => field(5, tensorProto(tensor))),
    ...graph.inputs.map((value) => field(11, valueInfo(value))),
    ...graph.outputs.map((value) => field(12, valueInfo(value))),
  ];
  const irVersion = integer(1, 8);
  const operatorSet = field(8, integer(2, 13));
  return Buffer.concat([irVersion, field(7, Buffer.concat(parts)), operatorSet]);
}

function nodeProto({ operator, inputs, outputs, integers = {} }: OnnxNode): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => field(1, text(name))),
    ...outputs.map((name) => field(2, text(name))),
    field(4, text(operator)),
    ...Object.entries(integers).map(([name, values]) => field(5, attribute(name, values))),
  ]);
}

/** A single integer is an attribute of type INT (2), several are one of type INTS (7). */
function attribute(name: string, values: readonly number[]): Buffer {
  const [first = 0] = values;
  const isList = name !== 'axis' && name !== 'keepdims' && name !== 'group';
  const content = isList ? values.map((value) => integer(8, value)) : [integer(3, first)];
  return Buffer.concat([field(1, text(name)), ...content, integer(20, isList ? 7 : 2)]);
}

function tensorProto({ name, shape, values }: OnnxTensor): Buffer {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const dims = shape.map((size) => integer(1, size));
  return Buffer.concat([...dims, integer(2, floatType), field(8, text(name)), field(9, raw)]);
}

function valueInfo({ name, shape }: OnnxValue): Buffer {
  const dims = shape.map((size) => field(1, typeof size === 'number' ? integer(1, size) : field(2, text(size))));
  const tensorType = Buffer.concat([integer(1, floatType), field(2, Buffer.concat(dims))]);
  return Buffer.concat([field(1, text(name)), field(2, field(1, tensorType))]);
}

function text(value: string): Buffer {
  return Buffer.from(value, 'utf8');
}

function field(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([varint((number << 3) | bytesType), varint(content.length), content]);
}

function integer(number: number, value: number): Buffer {
  return Buffer.concat([varint((number << 3) | varintType), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}
