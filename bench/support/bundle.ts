import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/**
 * Compiles a program of a benchmark, so that it runs on the built packages like a host's: a loader that compiles
 * sources on the fly adds a call to each created closure. Returns the file to run. With `sources`, our packages are
 * compiled into it too, for programs that need their internals.
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

/** Keeps third-party packages out of the file. */
const foreignPackages: Plugin = {
  name: 'foreign-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) => (path.startsWith('@va/') ? undefined : { path, external: true }));
  },
};
