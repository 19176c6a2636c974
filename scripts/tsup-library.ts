import { defineConfig, type Options } from 'tsup';

/**
 * Returns the tsup configuration of every package: ESM with source maps, and dependencies not bundled.
 * `scripts/build.mjs` adds the declarations.
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
