import { library } from '../../scripts/tsup-library.ts';

export default [
  library({ entry: { 'server/index': 'src/server/index.ts' }, external: ['esbuild'] }),
  // For pages without a bundler: defines `VaWeb`.
  library({
    entry: { 'va-web': 'src/client/script.ts' },
    format: ['iife'],
    globalName: 'VaWeb',
    platform: 'browser',
    target: 'es2022',
    splitting: false,
    minify: true,
  }),
  library({
    entry: {
      'client/index': 'src/client/index.ts',
      'client/element/index': 'src/client/element/index.ts',
      'client/react/index': 'src/client/react/index.ts',
    },
    platform: 'browser',
    target: 'es2022',
  }),
];
