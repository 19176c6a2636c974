import { library } from '../../scripts/tsup-library.ts';

// The page itself is built by Vite: see vite.config.ts.
export default library({ entry: { 'server/index': 'src/server/index.ts' }, external: ['vite'] });
