import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Compiles a program of a benchmark, which then runs on the built packages as a host's would: a loader that compiles
 * sources as they come adds a call to each closure that is made. Gives the file to run.
 */
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
