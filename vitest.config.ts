import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hangingAfterMs, waitMs } from './scripts/test-limits.ts';
import { filesOf } from './scripts/test-runs.mjs';

// Vite and Node add `import` or `require` by the kind of import; if listed here, `require` would get ES modules.
const conditions = ['@va/source', 'node'];

/** Files of half a minute or more, which run first: at the end, one of them would leave the other processors idle. */
const longest = [
  'conversation/fuzz/fuzz',
  'cluster/chaos',
  'cluster/deployment',
  'webhooks/killed-process',
  'storage/test/jobs',
  'storage/test/pglite',
  'network/bad-network',
  'network/impaired-network',
  'storage/test/migrate/migrate',
  'api/fuzz',
  'api/secrets',
  'api/tenancy',
  'testkit/test/storage',
  'test/examples',
  'test/demo',
  'sip/outbound',
  'sip/campaign',
  'providers/test/conformance/',
  'carriers/test/',
  'web/webrtc',
  'console/accessibility',
  'web/browser',
];

/** Files with a DOM, which run last: a process has a DOM for all of its files or for none. */
const withDom = 'packages/console/test/';

/** Node 20 has no cheap optimizing compiler (Maglev): most of what TurboFan compiles early never pays for it. */
const laterTurboFan = process.version.startsWith('v20.') ? ['--interrupt-budget=600000'] : [];

/**
 * Options of V8. There are more processes than processors, so that threads of a garbage collector would wait for each
 * other. Tests that compute have most of their garbage collected at once in a large space, keep code that later files
 * need, and optimize later. Calls in real time need their code at once, and short pauses.
 */
const engineOptions = [
  ...['--single-threaded-gc', '--max-semi-space-size=64'],
  ...(process.env.VA_TEST_RUN === 'computing'
    ? ['--min-semi-space-size=64', '--no-flush-bytecode', ...laterTurboFan]
    : []),
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      if (moduleId.includes(withDom)) return longest.length + 1;
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
    ...filesOf(process.env.VA_TEST_RUN),
    globalSetup: 'scripts/bundle-workers.mjs',
    setupFiles: 'scripts/default-wait-timeouts.ts',
    expect: { poll: { timeout: waitMs } },
    // The address of the page in tests with a DOM.
    environmentOptions: { happyDOM: { url: 'https://example.com/voice/console/' } },
    pool: 'forks',
    // Files of one process share imported modules, which saves a sixth of the whole run. None may leave state behind.
    isolate: false,
    execArgv: engineOptions,
    sequence: { sequencer: LongestFirst },
    // By default vitest leaves one processor free, which is half of two; many tests only wait.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    experimental: { fsModuleCache: true },
    testTimeout: hangingAfterMs,
    hookTimeout: hangingAfterMs,
  },
});
