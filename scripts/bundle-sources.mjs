import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, 'node_modules/.cache/va');
/** Changes of these files make every bundle stale. */
const settings = ['scripts/bundle-sources.mjs', 'package-lock.json'];

/** Loaded when the first bundle is stale. */
let esbuild = null;

/**
 * Bundles a program of the sources into one file, and one for each of its dynamic imports, and returns its path. It is
 * bundled again only if a source has changed. Node starts it in a quarter of the processor time that a loader takes
 * which compiles each source on the fly.
 *
 * @param {URL} entry the source of the program
 * @param {'source' | 'whole'} kind `whole` bundles third-party packages too, except for native and optional ones, which
 * halves the time again: they must not read files of their own
 * @param {import('esbuild').BuildOptions} [options] further options of the bundler
 * @returns {Promise<string>}
 */
export async function bundleSources(entry, kind, options = {}) {
  const key = JSON.stringify([kind, entry.href, options]);
  const id = createHash('sha256').update(key).digest('hex').slice(0, 12);
  const name = `${basename(entry.pathname).replace(/\.\w+$/, '')}-${id}`;
  const program = join(cache, `${name}.mjs`);
  const record = join(cache, `${name}.json`);
  if (await isFresh(record)) return program;
  const startedAtMs = Date.now();
  esbuild ??= import('esbuild');
  const { build } = await esbuild;
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
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
    metafile: true,
    write: false,
    ...kinds[kind],
    ...options,
  });
  await mkdir(join(cache, 'chunks'), { recursive: true });
  // The program comes last, because others may start it as soon as it exists.
  await Promise.all(outputFiles.filter(({ path }) => path !== program).map(writeWhole));
  await Promise.all(outputFiles.filter(({ path }) => path === program).map(writeWhole));
  const sources = Object.keys(metafile.inputs);
  const inputs = [...new Set([...settings, ...sources, ...sources.flatMap(manifestsOf)])];
  await writeWhole({ path: record, contents: JSON.stringify({ startedAtMs, inputs }) });
  return program;
}

/** Returns the manifest of the package that a source belongs to, which names the files of its entries. */
function manifestsOf(path) {
  const folder = /^packages\/[^/]+/.exec(path)?.[0];
  return folder === undefined ? [] : [`${folder}/package.json`];
}

/** Ends the process of the bundler, if it was started. */
export async function stopBundler() {
  if (esbuild === null) return;
  const { stop } = await esbuild;
  await stop();
  esbuild = null;
}

/** Returns true if there is a bundle, and none of its sources has changed since it was begun. */
async function isFresh(record) {
  try {
    const { startedAtMs, inputs } = JSON.parse(await readFile(record, 'utf8'));
    const stats = await Promise.all(inputs.map((path) => stat(join(root, path))));
    return stats.every(({ mtimeMs }) => mtimeMs < startedAtMs);
  } catch {
    return false;
  }
}

/** Writes a file by an atomic rename: two processes may write it at the same time, and others read it. */
async function writeWhole({ path, contents }) {
  const ownFile = `${path}.${process.pid}`;
  await writeFile(ownFile, contents);
  await rename(ownFile, path);
}

/** Keeps `import.meta.url` of each source file, so that it finds the files beside it. */
const ownUrls = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.m?[jt]s$/ }, async ({ path }) => {
      if (/^\.\.|node_modules/.test(relative(root, path))) return null;
      const text = await readFile(path, 'utf8');
      const contents = text.replaceAll(/\bimport\.meta\.url\b/g, () => JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' };
    });
  },
};

/** Leaves third-party packages out of the bundle. */
const othersApart = {
  name: 'others-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@va/') ? null : { path, external: true },
    );
  },
};

/** Options of the bundler for each kind of bundle. */
const kinds = {
  source: { plugins: [ownUrls, othersApart] },
  whole: {
    plugins: [ownUrls],
    external: ['@discordjs/opus', 'onnxruntime-node', 'pg-native'],
    // Bundled CommonJS modules call `require` for built-in modules of Node.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(process.execPath);",
    },
  },
};
