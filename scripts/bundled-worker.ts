import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/**
 * Run once before all tests: makes one file of the media worker's sources. The tests start a thread for each of some
 * hundred services, and a loader that compiles sources as they come takes the better part of a second every time.
 */
export async function setup(): Promise<void> {
  const entry = fileURLToPath(new URL('../packages/sip/src/media-worker/media-worker.ts', import.meta.url));
  const outfile = fileURLToPath(new URL('../node_modules/.cache/va/media-worker.mjs', import.meta.url));
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@va/source'],
    external: ['@discordjs/opus'],
    sourcemap: 'inline',
    plugins: [
      {
        // What a module reads beside itself stays where it is.
        name: 'own-urls',
        setup({ onLoad }) {
          onLoad({ filter: /packages\/.*\.ts$/ }, async ({ path }) => {
            const text = await readFile(path, 'utf8');
            const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
            return { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  process.env.VA_MEDIA_WORKER = pathToFileURL(outfile).href;
}
