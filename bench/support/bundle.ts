import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/**
 * Compiles a program of a benchmark, which then runs on the built packages as a host's would: a loader that compiles
 * sources as they come adds a call to each closure that is made. Gives the file to run. With `sources`, our packages
 * are compiled into it too: for a program that needs what they do not export.
 */
export async function bundle(entry: URL, name: string, packages: 'built' | 'sources' = 'built'): Promise<string> {
  const outfile = fileURLToPath(new URL(`../../node_modules/.cache/bench/${name}.mjs`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    ...(packages === 'built' ? { packages: 'external' } : { conditions: ['@va/source'], plugins: [foreignPackages] }),
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
  });
  return outfile;
}

/** Leaves out of the file what is not ours. */
const foreignPackages: Plugin = {
  name: 'foreign-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) => (path.startsWith('@va/') ? undefined : { path, external: true }));
  },
};
