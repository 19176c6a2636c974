import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { etagOf } from '../engine/response/etag.ts';
import { HttpError } from '../message/http-error.ts';

/** The script that renders the API reference, with its validator. */
export interface ScalarBundle {
  readonly script: string;
  readonly etag: string;
}

/**
 * Reads the browser bundle of Scalar: the named file, or the one of the package that the host has installed.
 * @throws RequestError 501 if the file cannot be read
 */
export async function readScalarBundle(file: string | null): Promise<ScalarBundle> {
  try {
    const found = file ?? createRequire(import.meta.url).resolve('@scalar/api-reference/browser/standalone.js');
    const script = await readFile(found, 'utf8');
    return { script, etag: etagOf(script) };
  } catch {
    const fix =
      'Install it (npm install @scalar/api-reference), or name a bundle file: createHandler(va, { docs: { bundle } }).';
    const message = `The reference page needs the package @scalar/api-reference. ${fix}`;
    throw new HttpError(501, 'not_installed', message, {});
  }
}
