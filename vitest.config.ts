import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Vite and Node add `import` or `require` themselves, by who asks; named here, `require` would be given ES modules.
const conditions = ['@va/source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts', 'examples/*/test/**/*.test.ts'],
    pool: 'forks',
    // Vitest leaves one processor free: with two, that is half of them, and many tests only wait.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Calls over real sockets run in real time, beside other tests: what a busy machine upset is run once more, and told of.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
