import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Vite and Node add `import` or `require` themselves, by who asks; named here, `require` would be given ES modules.
const conditions = ['@va/source', 'node'];

/** These take half a minute or more each: last of all, one of them would leave the other processors idle. */
const longest = [
  'conversation/fuzz/fuzz',
  'cluster/chaos',
  'cluster/deployment',
  'webhooks/killed-process',
  'storage/test/jobs',
  'storage/test/pglite',
  'testkit/test/storage',
  'calls/bad-network',
  'calls/impaired-network',
  'storage/test/migrate/migrate',
  'api/fuzz',
  'test/examples',
  'test/demo',
  'calls/outbound',
  'calls/campaign',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((part) => moduleId.includes(part));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts', 'examples/*/test/**/*.test.ts'],
    globalSetup: 'scripts/bundled-worker.ts',
    pool: 'forks',
    // Files of one process share what they import, which took a sixth of the whole run: none may leave anything behind.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Vitest leaves one processor free: with two, that is half of them, and many tests only wait.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Calls over real sockets run in real time, beside other tests: what a busy machine upset is run once more, and told of.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
