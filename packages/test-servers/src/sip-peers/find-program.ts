import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { VaError } from '@va/core';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the path of a program that a test needs; null when it is not installed, so that the test can be skipped.
 * @throws VaError `program_missing` on CI (environment variable `CI`), where every test must run
 */
export function findProgram(name: string, debianPackage: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (path !== undefined) return path;
  if (process.env.CI) {
    throw new VaError('program_missing', `${name} is not installed. Install the Debian package ${debianPackage}.`);
  }
  return null;
}
