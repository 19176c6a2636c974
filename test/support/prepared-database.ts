import { PGlite } from '@electric-sql/pglite';
import { preparedDatabase } from '../../packages/storage/test/support/prepared-pglite.ts';

// Loaded into a process before anything else: a database in memory then is a copy of a prepared one, which takes a
// tenth of the work of making it. One in a folder is made as ever. The copy is made before, with PGlite's own `create`.
const loadDataDir = await preparedDatabase();
const create = PGlite.create.bind(PGlite);
Object.assign(PGlite, {
  create: (...args: []) => (args.length > 0 ? create(...args) : create({ loadDataDir })),
});
