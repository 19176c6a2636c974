import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it.each(['index', 'script'])('client › %s has no dependencies and at most 15 KB, compressed', async (name) => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, `../../src/client/${name}.ts`)],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
  });
  expect(Object.keys(metafile.inputs).filter((path) => path.includes('node_modules'))).toEqual([]);
  expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThan(15_000);
});
