import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Files by their path, with `/` between folders. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** Reads all files of a folder. */
export async function readFiles(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = paths.map(async (path) => [relative(folder, path).split(sep).join('/'), await readFile(path)] as const);
  return new Map(await Promise.all(read));
}
