import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

// Runs every suite and closes with one plain line. A skipped test is one whose program (a SIP client, say) is missing
// here; in CI all of them are installed, and a skip is a failure. With arguments, vitest alone has the word.
//
// There are three runs beside each other (test-runs.mjs): of tests that compute, of those in which real time passes,
// and of those in which programs of others take part. The first has a lower priority, so that it does not starve calls
// in real time. The tests with a browser, which keep processors busy, follow the second. Programs of others run in a
// network namespace where there is one to be had: what a phone or a load generator sends by mistake then leads nowhere.

/** Nice value of the tests that compute: three of their processes get half of what one of the others gets. */
const lowPriority = 8;
const processors = availableParallelism();
const asked = process.argv.slice(2);
const namespace = [fileURLToPath(new URL('in-namespace.mjs', import.meta.url))];

async function run({ name = 'all', args = [], workers = null, isolated = false, told = 'inherit', priority = 0 }) {
  const dir = mkdtempSync(join(tmpdir(), 'va-tests-'));
  const outputFile = join(dir, 'results.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const limit = workers === null ? [] : [`--maxWorkers=${workers}`];
  const vitest = ['npx', 'vitest', 'run', ...reporters, ...limit, ...args];
  const [command, ...rest] = isolated ? [process.execPath, ...namespace, ...vitest] : vitest;
  const child = spawn(command, rest, {
    stdio: ['inherit', told, told],
    env: { ...process.env, VA_TEST_RUN: name },
  });
  // The processes that it starts inherit it.
  if (priority !== 0 && child.pid !== undefined) setPriority(child.pid, priority);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const output = told === 'pipe' ? await Promise.all([text(child.stdout), text(child.stderr)]) : [];
  const status = await ended;
  const results = JSON.parse(readFileSync(outputFile, 'utf8'));
  rmSync(dir, { recursive: true });
  return {
    output: output.join(''),
    status,
    passed: results.numPassedTests,
    failed: results.numFailedTests,
    skipped: results.numPendingTests + results.numTodoTests,
    brokenFiles: results.numFailedTests === 0 ? results.numFailedTestSuites : 0,
  };
}

async function runAll() {
  const hasNamespace = spawnSync(process.execPath, [...namespace, 'true'], { stdio: 'inherit' }).status === 0;
  if (!hasNamespace && process.env.CI) {
    console.error('In CI the programs of others run in a network namespace, but there is none to be had.');
    process.exit(1);
  }
  // More processes than processors, because some tests wait.
  const computing = run({ name: 'computing', workers: processors + 1, priority: lowPriority });
  const timed = run({ name: 'timed', told: 'pipe', workers: processors + 1 });
  const all = await Promise.all([
    computing,
    timed,
    timed.then(() => run({ name: 'browsers', told: 'pipe' })),
    // Few processes next to those of the others: what holds time limits must not starve.
    run({ name: 'peers', told: 'pipe', workers: Math.max(1, Math.floor(processors / 2)), isolated: hasNamespace }),
  ]);
  // Told when all are over: lines of several runs in turn would be nobody's.
  for (const { output } of all) process.stdout.write(output);
  return all;
}

const runs = asked.length > 0 ? [await run({ args: asked })] : await runAll();
const sum = (key) => runs.reduce((total, each) => total + each[key], 0);
const [passed, failed, skipped, brokenFiles] = ['passed', 'failed', 'skipped', 'brokenFiles'].map(sum);
if (process.env.CI && skipped > 0) console.error(`In CI nothing may be skipped, but ${skipped} tests were.`);
if (brokenFiles > 0) console.error(`${brokenFiles} test files could not be run.`);
console.log(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = runs.some(({ status }) => status !== 0) || failed > 0 || (process.env.CI && skipped > 0) ? 1 : 0;
