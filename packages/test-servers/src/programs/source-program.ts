import { bundleSources } from '../../../../scripts/bundle-sources.mjs';

/**
 * Bundles a program of the sources, and returns the path of the file for Node: `spawn(process.execPath, [file, …])`.
 * The program starts in a quarter of the processor time that it takes with a loader.
 */
export function sourceProgram(entry: URL): Promise<string> {
  return bundleSources(entry, 'source');
}

/**
 * Does the same as `sourceProgram`, with third-party packages in the bundle, for a program that a test starts very
 * often: it takes half of the processor time, as Node loads one file in place of a thousand. Third-party packages must
 * not read files of their own.
 */
export function wholeProgram(entry: URL): Promise<string> {
  return bundleSources(entry, 'whole');
}
