import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { bundleSources, othersApart } from './bundled-sources.ts';

const files = new Map<string, Promise<string>>();

/** Bundles the packages of others too, except for those that are native or optional. */
const withOthers: BuildOptions = {
  external: ['@discordjs/opus', 'onnxruntime-node', 'pg-native'],
  // CommonJS modules among them require modules of Node, from wherever the file is.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(process.execPath);",
  },
};

/**
 * Returns a file with which Node runs a program of the sources: `spawn(process.execPath, [file, …])`. It starts in a
 * quarter of the processor time that a loader takes.
 */
export function sourceProgram(entry: URL): Promise<string> {
  return programOf(entry, { plugins: [othersApart] });
}

/**
 * As `sourceProgram`, for a program that a test starts very often: it starts in half of the processor time, as Node
 * loads one file in place of a thousand. The packages of others that it uses must not read files of their own.
 */
export function wholeProgram(entry: URL): Promise<string> {
  return programOf(entry, withOthers);
}

function programOf(entry: URL, options: BuildOptions): Promise<string> {
  const known = files.get(entry.href);
  if (known !== undefined) return known;
  const id = createHash('sha256').update(entry.href).digest('hex').slice(0, 12);
  const file = bundleSources(entry, `${basename(entry.pathname, '.ts')}-${id}`, options);
  files.set(entry.href, file);
  return file;
}
