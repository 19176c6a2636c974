import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Compiles a program of a benchmark, so that it runs on the built packages like a host's. Returns the file to run. */
export async function bundle(entry: URL, name: string): Promise<string> {
  const outfile = fileURLToPath(new URL(`../../node_modules/.cache/bench/${name}.mjs`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
  });
  return outfile;
}
