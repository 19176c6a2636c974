// The runs into which the tests are divided: vitest.config.ts selects one by VA_TEST_RUN, and scripts/test.mjs starts
// them.

/** Tests with external programs, and long ones that wait for processes to die or leases to end. */
const peers = [
  'packages/sip/test/scenarios',
  'packages/sip/test/interop',
  'packages/sip/test/trunk/kamailio.test.ts',
  'packages/storage/test/jobs.test.ts',
  'test/calls/sip/baresip.test.ts',
  'test/calls/sip/campaign.test.ts',
  'test/calls/sip/sipp.test.ts',
  'test/cluster/chaos',
  'test/cluster/deployment.test.ts',
  'test/webhooks/killed-process.test.ts',
];
/** Calls from a browser: one at a time, as browser, call and speech take most of a processor. */
const webCalls = ['test/web', 'test/console/calls/supervision.test.ts', 'test/console/calls/talk.test.ts'];
/** Pages in a browser, which are only slower if processors are busy. */
const pages = ['test/console'];
/** Tests in which real time passes: calls, retries, and processes that start and end. */
const timed = [
  'packages/carriers/test',
  'packages/cli/test',
  'packages/mcp/test',
  'packages/media/test/worker',
  'packages/providers/test/clients',
  'packages/providers/test/conformance',
  'packages/providers/test/realtime',
  'packages/sip/test',
  'packages/web/test',
  'test/after-call',
  'test/calls',
  'test/cli',
  'test/cluster',
  'test/demo.test.ts',
  'test/examples.test.ts',
  'test/webhooks',
];
const all = ['packages/*/test', 'test', 'examples/*/test'];

const runs = { peers, webCalls, pages, timed, computing: all, all };

/**
 * Returns the files of a run, as globs for vitest. A file belongs to the first run of the list above whose globs match
 * it; the run `all` has all files.
 */
export function filesOf(run = 'all') {
  if (!(run in runs)) throw new Error(`Unknown test run "${run}": expected one of ${Object.keys(runs).join(', ')}.`);
  const before = Object.keys(runs).slice(0, Object.keys(runs).indexOf(run));
  return {
    include: globsOf(runs[run]),
    exclude: ['**/node_modules/**', ...(run === 'all' ? [] : before.flatMap((each) => globsOf(runs[each])))],
  };
}

function globsOf(paths) {
  return paths.map((path) => (path.endsWith('.test.ts') ? path : `${path}/**/*.test.{ts,tsx}`));
}
