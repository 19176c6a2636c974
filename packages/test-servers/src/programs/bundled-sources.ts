import { readFile, rename } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** Keeps `import.meta.url` of each source file, so that it finds the files beside it. */
const ownUrls: Plugin = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /(?:packages|test)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: 'ts' };
    });
  },
};

/**
 * Bundles a program that tests start many times into one file, and returns its path: a loader that compiles sources on
 * the fly takes a second or more each time.
 */
export async function bundleSources(entry: URL, name: string, options: BuildOptions): Promise<string> {
  const outfile = fileURLToPath(new URL(`../../../../node_modules/.cache/va/${name}.mjs`, import.meta.url));
  // Two runs may write the bundle at the same time: the atomic rename leaves the complete file of one of them.
  const ownFile = `${outfile}.${process.pid}`;
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile: ownFile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@va/source'],
    ...options,
    plugins: [ownUrls, ...(options.plugins ?? [])],
  });
  await rename(ownFile, outfile);
  return outfile;
}

/** Leaves third-party packages out of the bundle. */
export const othersApart: Plugin = {
  name: 'others-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@va/') ? null : { path, external: true },
    );
  },
};
