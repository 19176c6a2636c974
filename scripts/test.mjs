import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

// Runs every suite and closes with one plain line. A skipped test is one whose program (a SIP client, say) is missing
// here; in CI all of them are installed, and a skip is a failure.
//
// There are two runs beside each other, as many tests only wait, and then one of the tests with a browser, which keep
// processors so busy that others would miss their times. Those in which programs of others take part run in a
// network namespace where there is one to be had: what a phone or a load generator sends by mistake then leads nowhere.
// With arguments, vitest alone has the word.
const peers = [
  'packages/sip/test/peers',
  'packages/sip/test/interop',
  'packages/sip/test/trunk/kamailio.test',
  'test/calls/baresip.test',
  'test/calls/campaign.test',
  'test/calls/sipp.test',
  'test/cluster/deployment.test',
];
/** Long ones that wait more than they work: for processes that die, and for leases that end. */
const patient = ['packages/storage/test/jobs.test', 'test/cluster/chaos', 'test/webhooks/killed-process.test'];
/** Those that drive Chromium. */
const browsers = ['test/web/', 'test/console/'];
const asked = process.argv.slice(2);
const namespace = [fileURLToPath(new URL('in-namespace.mjs', import.meta.url))];

async function run(args, { isolated = false, told = 'inherit' } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'va-tests-'));
  const outputFile = join(dir, 'results.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const vitest = ['npx', 'vitest', 'run', ...reporters, ...args];
  const [command, ...rest] = isolated ? [process.execPath, ...namespace, ...vitest] : vitest;
  const child = spawn(command, rest, { stdio: ['inherit', told, told] });
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
  const beside = [...peers, ...patient];
  const excluded = [
    ...beside.flatMap((path) => ['--exclude', `**/${path}*`, '--exclude', `**/${path}/**`]),
    ...browsers.flatMap((path) => ['--exclude', `**/${path}**`]),
  ];
  // Half as many processes as there are processors, next to those of the other run: what holds time limits must not
  // starve.
  const workers = `--maxWorkers=${Math.max(1, Math.floor(availableParallelism() / 2))}`;
  const runs = await Promise.all([run(excluded), run([...beside, workers], { isolated: hasNamespace, told: 'pipe' })]);
  // Told when both are over: lines of two runs in turn would be neither's.
  process.stdout.write(runs[1].output);
  return [...runs, await run(browsers)];
}

const runs = asked.length > 0 ? [await run(asked)] : await runAll();
const sum = (key) => runs.reduce((total, each) => total + each[key], 0);
const [passed, failed, skipped, brokenFiles] = ['passed', 'failed', 'skipped', 'brokenFiles'].map(sum);
if (process.env.CI && skipped > 0) console.error(`In CI nothing may be skipped, but ${skipped} tests were.`);
if (brokenFiles > 0) console.error(`${brokenFiles} test files could not be run.`);
console.log(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = runs.some(({ status }) => status !== 0) || failed > 0 || (process.env.CI && skipped > 0) ? 1 : 0;
