import { defineConfig, type Options } from 'tsup';

/**
 * The one build of every package: ESM and source maps, dependencies left outside; `scripts/build.mjs` adds the
 * declarations.
 */
export function library(options: Pick<Options, 'entry'> & Partial<Options>): ReturnType<typeof defineConfig> {
  return defineConfig({
    format: ['esm'],
    target: 'node20',
    platform: 'node',
    sourcemap: true,
    splitting: true,
    ...options,
  });
}
