import type { PGlite, PGliteOptions } from '@electric-sql/pglite';

/**
 * Size of the buffers for pages. PGlite fills them with zeros when it opens, for which its default of 128 MB takes more
 * time and memory than everything else in a small database. Other pages are read from their files: in memory, or in the
 * cache of the operating system.
 */
const sharedBuffers = '16MB';

/** Opens a database, or creates it, with the settings of our storage. */
export function createPglite(pglite: typeof PGlite, options: PGliteOptions = {}): Promise<PGlite> {
  const startParams = [...pglite.defaultStartParams, '-c', `shared_buffers=${sharedBuffers}`];
  return pglite.create({ ...options, startParams });
}
