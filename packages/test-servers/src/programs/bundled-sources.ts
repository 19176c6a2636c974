import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build, type OutputFile, type Plugin } from 'esbuild';

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

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/va/', import.meta.url));

/**
 * Bundles a program that tests start many times into one file, and one for each of its dynamic imports, and returns its
 * path: a loader that compiles sources on the fly takes a second or more each time.
 */
export async function bundleSources(entry: URL, name: string, options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: { [name]: fileURLToPath(entry) },
    outdir: cache,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@va/source'],
    write: false,
    ...options,
    plugins: [ownUrls, ...(options.plugins ?? [])],
  });
  await mkdir(join(cache, 'chunks'), { recursive: true });
  const program = join(cache, `${name}.mjs`);
  // The program comes last, because others may start it as soon as it exists.
  const parts = outputFiles.filter(({ path }) => path !== program);
  await Promise.all(parts.map(writeWhole));
  await Promise.all(outputFiles.filter(({ path }) => path === program).map(writeWhole));
  return program;
}

/** Writes a file by an atomic rename: two runs may write it at the same time, and others read it. */
async function writeWhole({ path, contents }: OutputFile): Promise<void> {
  const ownFile = `${path}.${process.pid}`;
  await writeFile(ownFile, contents);
  await rename(ownFile, path);
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
