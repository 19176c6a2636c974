import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { bundleSources, othersApart } from './bundled-sources.ts';

const files = new Map<string, Promise<string>>();

const kinds = {
  source: { plugins: [othersApart] },
  /** With the packages of others in it, except for those that are native or optional. */
  whole: {
    external: ['@discordjs/opus', 'onnxruntime-node', 'pg-native'],
    // CommonJS modules among them require modules of Node, from wherever the file is.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(process.execPath);",
    },
  },
} satisfies Record<string, BuildOptions>;

/**
 * Returns a file with which Node runs a program of the sources: `spawn(process.execPath, [file, …])`. It starts in a
 * quarter of the processor time that a loader takes.
 */
export function sourceProgram(entry: URL): Promise<string> {
  return programOf(entry, 'source');
}

/**
 * As `sourceProgram`, for a program that a test starts very often: it starts in half of the processor time, as Node
 * loads one file in place of a thousand. The packages of others that it uses must not read files of their own.
 */
export function wholeProgram(entry: URL): Promise<string> {
  return programOf(entry, 'whole');
}

function programOf(entry: URL, kind: keyof typeof kinds): Promise<string> {
  const key = `${kind} ${entry.href}`;
  const known = files.get(key);
  if (known !== undefined) return known;
  const id = createHash('sha256').update(key).digest('hex').slice(0, 12);
  const file = bundleSources(entry, `${basename(entry.pathname, '.ts')}-${id}`, kinds[kind]);
  files.set(key, file);
  return file;
}
