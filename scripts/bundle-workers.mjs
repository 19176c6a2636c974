import { pathToFileURL } from 'node:url';
import { bundleSources } from './bundle-sources.mjs';

const workers = {
  VA_MEDIA_WORKER: '../packages/media/src/worker/media-worker-entry.ts',
  VA_SCHEMA_WORKER: '../packages/core/src/schema/schema-worker.ts',
  VA_TURN_MODEL_WORKER: '../packages/providers/src/onnx-turn-model/inference-worker.ts',
};

/**
 * Bundles the programs of the worker threads, and names their files in the environment of this process and its
 * children, where `source-worker.mjs` reads them. Tests start a thread for each of some hundred services; vitest calls
 * this once before all tests.
 */
export async function setup() {
  await Promise.all(
    Object.entries(workers).map(async ([variable, entry]) => {
      const file = await bundleSources(new URL(entry, import.meta.url), 'source');
      process.env[variable] = pathToFileURL(file).href;
    }),
  );
}
