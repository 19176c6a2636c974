import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, setPriority, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

// Runs all suites and prints the totals as the last line. A test is skipped if its program (such as a SIP client) is
// missing; in CI all programs are installed, and a skip is a failure. Arguments are passed to a single vitest run.
//
// Three runs are concurrent (test-runs.mjs): tests that compute, tests in which real time passes, and tests with
// external programs. Two runs with a browser start after the second of these: calls, and at the same time pages. Runs
// that compute have a lower priority, so that they do not starve calls. External programs run in a network namespace if
// one is available: stray packets of a phone or load generator then cannot leave.

/** Nice values: three processes that compute get a third of what one in real time gets, and one of pages two fifths. */
const nice = { computing: 10, pages: 4 };
const processors = availableParallelism();
const asked = process.argv.slice(2);
const namespace = [fileURLToPath(new URL('in-namespace.mjs', import.meta.url))];

async function run({ name = 'all', args = [], workers = null, isolated = false, stdio = 'inherit', priority = 0 }) {
  const dir = mkdtempSync(join(tmpdir(), 'va-tests-'));
  const outputFile = join(dir, 'results.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const limit = workers === null ? [] : [`--maxWorkers=${workers}`];
  const vitest = ['npx', 'vitest', 'run', ...reporters, ...limit, ...args];
  const [command, ...rest] = isolated ? [process.execPath, ...namespace, ...vitest] : vitest;
  const startedAt = performance.now();
  const child = spawn(command, rest, {
    stdio: ['inherit', stdio, stdio],
    env: { ...process.env, VA_TEST_RUN: name },
  });
  // Child processes inherit the priority.
  if (priority !== 0 && child.pid !== undefined) setPriority(child.pid, priority);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const output = stdio === 'pipe' ? await Promise.all([text(child.stdout), text(child.stderr)]) : [];
  const status = await ended;
  const results = JSON.parse(readFileSync(outputFile, 'utf8'));
  rmSync(dir, { recursive: true });
  return {
    name,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    output: output.join(''),
    status,
    passed: results.numPassedTests,
    failed: results.numFailedTests,
    skipped: results.numPendingTests + results.numTodoTests,
    brokenFiles: results.numFailedTests === 0 ? results.numFailedTestSuites : 0,
    failures: results.testResults.flatMap((file) => failuresOf(name, file)),
  };
}

/**
 * Returns the failures of a test file, each with its name and error: those of its tests, and of the file as a whole.
 */
function failuresOf(run, { name: path, status, message, assertionResults }) {
  const file = relative(process.cwd(), path);
  const tests = assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${run}: ${file} > ${fullName}\n${ownFrames(failureMessages.join('\n'))}`);
  if (message) return [`${run}: ${file}\n${message}`, ...tests];
  // The results contain no error of a hook.
  return status === 'failed' && tests.length === 0 ? [`${run}: ${file}\nA hook failed: see the output.`] : tests;
}

/** Returns a stack trace without the lines of the test runner. */
function ownFrames(trace) {
  return trace
    .split('\n')
    .filter((line) => !line.includes('node_modules/'))
    .join('\n');
}

async function runAll() {
  const hasNamespace = spawnSync(process.execPath, [...namespace, 'true'], { stdio: 'inherit' }).status === 0;
  if (!hasNamespace && process.env.CI) {
    console.error('In CI external programs run in a network namespace, but none is available.');
    process.exit(1);
  }
  // Few processes beside those of the other runs, so that calls and tests with time limits do not starve.
  const few = Math.max(1, Math.floor(processors / 2));
  // One more than processors, because even these tests wait for databases and files. Each process loads the modules and
  // optimizes their code for itself, which costs less than that wait.
  const computing = run({ name: 'computing', workers: processors + 1, priority: nice.computing });
  // More processes than processors, because these tests wait.
  const timed = run({ name: 'timed', stdio: 'pipe', workers: processors + 1 });
  const all = await Promise.all([
    computing,
    timed,
    timed.then(() => run({ name: 'webCalls', stdio: 'pipe', workers: few })),
    timed.then(() => run({ name: 'pages', stdio: 'pipe', workers: few, priority: nice.pages })),
    run({ name: 'peers', stdio: 'pipe', workers: few, isolated: hasNamespace }),
  ]);
  // Printed after all runs, because interleaved lines could not be assigned to a run.
  for (const { output } of all) process.stdout.write(output);
  return all;
}

const runs = asked.length > 0 ? [await run({ args: asked })] : await runAll();
const sum = (key) => runs.reduce((total, each) => total + each[key], 0);
const [passed, failed, skipped, brokenFiles] = ['passed', 'failed', 'skipped', 'brokenFiles'].map(sum);
// Repeated at the end of the output, where they are found even if only its end was kept.
for (const failure of runs.flatMap(({ failures }) => failures)) console.log(`\nFailed in ${failure}`);
const unexplained = runs.filter(({ status, failures }) => status !== 0 && failures.length === 0);
for (const { name } of unexplained) console.log(`\nThe run ${name} failed without a failed test: see its output.`);
if (process.env.CI && skipped > 0) console.log(`${skipped} tests were skipped, which is a failure in CI.`);
if (brokenFiles > 0) console.log(`${brokenFiles} test files failed to load.`);
// The steps before the tests, by .ci/run, then the duration of each run.
const steps = process.env.VA_CHECK_TIMES?.split(',') ?? [];
console.log(`seconds: ${[...steps, ...runs.map(({ name, seconds }) => `${name} ${seconds}`)].join(', ')}`);
console.log(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = runs.some(({ status }) => status !== 0) || failed > 0 || (process.env.CI && skipped > 0) ? 1 : 0;
