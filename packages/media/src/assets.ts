import { readFileSync } from 'node:fs';

/**
 * Reads a file of this package's assets/ folder. This module stays at the top of src/, so that the path holds from the
 * sources and from the bundle in dist/ alike.
 */
export function readAsset(name: string): Buffer {
  return readFileSync(new URL(`../assets/${name}`, import.meta.url));
}
