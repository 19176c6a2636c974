import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { preparedDatabase } from '../../packages/storage/test/support/prepared-pglite.ts';

// Preloaded into a process: its in-memory databases start as copies of a prepared one, in a tenth of the time.
// Databases in a folder, which is the argument or an option, are created normally. PGlite's own `create` makes the copy
// in advance.
const loadDataDir = await preparedDatabase();
const create = PGlite.create.bind(PGlite);
Object.assign(PGlite, {
  create: (options: string | PGliteOptions = {}) => {
    if (typeof options === 'string') return create(options);
    return create(options.dataDir === undefined ? { loadDataDir, ...options } : options);
  },
});
