// Compresses the acoustic model's files and the pronouncing dictionary: node pack-model.mjs MODEL_FOLDER ASSETS_FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const [, , model, assets] = process.argv;
const files = ['mdef', 'means', 'variances', 'sendump', 'transition_matrices', 'feat.params', 'noisedict'];
mkdirSync(join(assets, 'en-us'), { recursive: true });

function pack(from, to) {
  const bytes = readFileSync(from);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  writeFileSync(`${to}.br`, brotliCompressSync(bytes, { params }));
}

for (const file of files) pack(join(model, 'en-us', file), join(assets, 'en-us', file));
pack(join(model, 'cmudict-en-us.dict'), join(assets, 'cmudict-en-us.dict'));
