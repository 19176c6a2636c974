import { pathToFileURL } from 'node:url';
import { bundleSources, othersApart } from '../packages/test-servers/src/programs/bundled-sources.ts';

/**
 * Runs once before all tests: bundles the programs of the worker threads from their sources, as the tests start a
 * thread for each of some hundred services.
 */
export async function setup(): Promise<void> {
  const media = new URL('../packages/media/src/worker/media-worker-entry.ts', import.meta.url);
  const schemas = new URL('../packages/core/src/schema/schema-worker.ts', import.meta.url);
  const turnModels = new URL('../packages/providers/src/onnx-turn-model/inference-worker.ts', import.meta.url);
  const [mediaFile, schemaFile, turnModelFile] = await Promise.all([
    bundleSources(media, 'media-worker', { external: ['@discordjs/opus'] }),
    bundleSources(schemas, 'schema-worker', { external: ['ajv'] }),
    bundleSources(turnModels, 'turn-model-worker', { plugins: [othersApart] }),
  ]);
  process.env.VA_MEDIA_WORKER = pathToFileURL(mediaFile).href;
  process.env.VA_SCHEMA_WORKER = pathToFileURL(schemaFile).href;
  process.env.VA_TURN_MODEL_WORKER = pathToFileURL(turnModelFile).href;
}
