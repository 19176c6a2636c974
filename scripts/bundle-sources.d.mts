import type { BuildOptions } from 'esbuild';

/** See bundle-sources.mjs. */
export function bundleSources(entry: URL, kind: 'source' | 'whole', options?: BuildOptions): Promise<string>;
