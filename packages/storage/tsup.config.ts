import { library } from '../../scripts/tsup-library.ts';

export default library({
  entry: [
    'src/memory/index.ts',
    'src/pglite/index.ts',
    'src/postgres/index.ts',
    'src/migrate/migrate.ts',
    'src/migrate/main.ts',
  ],
});
