import { defineConfig, type Options } from 'tsup';

/** The one build of every package: ESM, declarations and source maps, dependencies left outside. */
export function library(options: Pick<Options, 'entry'> & Partial<Options>): ReturnType<typeof defineConfig> {
  return defineConfig({
    format: ['esm'],
    target: 'node20',
    platform: 'node',
    dts: true,
    sourcemap: true,
    clean: true,
    splitting: true,
    ...options,
  });
}
