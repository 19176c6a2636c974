// Compresses the acoustic model's files and the pronouncing dictionary: node pack-model.mjs MODEL_FOLDER ASSETS_FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const [, , model, assets] = process.argv;
const files = ['mdef', 'means', 'variances', 'sendump', 'transition_matrices', 'feat.params', 'noisedict'];
mkdirSync(join(assets, 'en-us'), { recursive: true });

/**
 * Where the cepstral mean starts from, for speech that was upsampled from 8 kHz: the average over sentences of four
 * voices once the decoder had adapted. The model's own is for 16 kHz, and with it the first words of a call are lost.
 */
const telephoneMeans = '47.4,27.2,-25.7,54,-24.8,12.5,4.8,-16,13.8,-16.7,13.2,-0.9,-0.5';

function adapted(name, bytes) {
  if (name !== 'feat.params') return bytes;
  return Buffer.from(bytes.toString().replace(/-cmninit \S+/, `-cmninit ${telephoneMeans}`));
}

function pack(from, to) {
  const bytes = adapted(basename(from), readFileSync(from));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  writeFileSync(`${to}.br`, brotliCompressSync(bytes, { params }));
}

for (const file of files) pack(join(model, 'en-us', file), join(assets, 'en-us', file));
pack(join(model, 'cmudict-en-us.dict'), join(assets, 'cmudict-en-us.dict'));
