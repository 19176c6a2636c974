import { readFileSync } from 'node:fs';

// This module stays at the top of src/, so that the paths are valid from the sources and from the bundle in dist/
// alike.

export function readAsset(name: string): Buffer {
  return readFileSync(new URL(`../assets/${name}`, import.meta.url));
}

/** Workers are plain JavaScript beside src/: a thread loads a file, which has to exist with and without a build. */
export function workerUrl(name: string): URL {
  return new URL(`../workers/${name}`, import.meta.url);
}
