import type { PGlite, PGliteOptions } from '@electric-sql/pglite';
import { valueParsers } from '../sql/values.ts';

/**
 * Size of the buffers for pages. PGlite fills them with zeros when it opens, for which its default of 128 MB takes more
 * time and memory than everything else in a small database. Other pages are read from their files: in memory, or in the
 * cache of the operating system.
 */
const sharedBuffers = '16MB';

/**
 * Opens a database, or creates it, with the settings of our storage. They apply to the creation too, which starts
 * PostgreSQL several times. The parsers are set here, as PGlite copies all of its own for each statement that brings
 * some, which takes longer than a short statement.
 */
export function createPglite(pglite: typeof PGlite, options: PGliteOptions = {}): Promise<PGlite> {
  const setting = `shared_buffers=${sharedBuffers}`;
  return pglite.create({
    ...options,
    initDbStartParams: ['--set', setting],
    startParams: [...pglite.defaultStartParams, '-c', setting],
    parsers: valueParsers,
  });
}
