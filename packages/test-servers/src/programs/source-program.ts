import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { bundleSources, othersApart } from './bundled-sources.ts';

const files = new Map<string, Promise<string>>();

/**
 * Returns a file with which Node runs a program of the sources: `spawn(process.execPath, [file, …])`. It starts in a
 * quarter of the processor time that a loader takes.
 */
export function sourceProgram(entry: URL): Promise<string> {
  const known = files.get(entry.href);
  if (known !== undefined) return known;
  const id = createHash('sha256').update(entry.href).digest('hex').slice(0, 12);
  const file = bundleSources(entry, `${basename(entry.pathname, '.ts')}-${id}`, { plugins: [othersApart] });
  files.set(entry.href, file);
  return file;
}
