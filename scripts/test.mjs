import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs every suite and closes with one plain line. A skipped test is one whose program (a SIP client, say) is missing
// here; in CI all of them are installed, and a skip is a failure.
//
// Those in which programs of others take part run last, in a network namespace where there is one to be had: what a phone
// or a load generator sends by mistake then leads nowhere. With arguments, vitest alone has the word.
const peers = [
  'packages/sip/test/peers',
  'packages/sip/test/interop',
  'packages/sip/test/trunk/kamailio.test',
  'test/calls/baresip.test',
  'test/calls/campaign.test',
  'test/calls/sipp.test',
  'test/cluster/deployment.test',
];
const asked = process.argv.slice(2);
const namespace = [fileURLToPath(new URL('in-namespace.mjs', import.meta.url))];

function run(args, isolated) {
  const dir = mkdtempSync(join(tmpdir(), 'va-tests-'));
  const outputFile = join(dir, 'results.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const vitest = ['npx', 'vitest', 'run', ...reporters, ...args];
  const [command, ...rest] = isolated ? [process.execPath, ...namespace, ...vitest] : vitest;
  const { status } = spawnSync(command, rest, { stdio: 'inherit' });
  const results = JSON.parse(readFileSync(outputFile, 'utf8'));
  rmSync(dir, { recursive: true });
  return {
    status,
    passed: results.numPassedTests,
    failed: results.numFailedTests,
    skipped: results.numPendingTests + results.numTodoTests,
    brokenFiles: results.numFailedTests === 0 ? results.numFailedTestSuites : 0,
  };
}

function runAll() {
  const hasNamespace = spawnSync(process.execPath, [...namespace, 'true'], { stdio: 'inherit' }).status === 0;
  if (!hasNamespace && process.env.CI) {
    console.error('In CI the programs of others run in a network namespace, but there is none to be had.');
    process.exit(1);
  }
  const excluded = peers.flatMap((path) => ['--exclude', `**/${path}*`, '--exclude', `**/${path}/**`]);
  return [run(excluded, false), run(peers, hasNamespace)];
}

const runs = asked.length > 0 ? [run(asked, false)] : runAll();
const sum = (key) => runs.reduce((total, each) => total + each[key], 0);
const [passed, failed, skipped, brokenFiles] = ['passed', 'failed', 'skipped', 'brokenFiles'].map(sum);
if (process.env.CI && skipped > 0) console.error(`In CI nothing may be skipped, but ${skipped} tests were.`);
if (brokenFiles > 0) console.error(`${brokenFiles} test files could not be run.`);
console.log(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(runs.some(({ status }) => status !== 0) || failed > 0 || (process.env.CI && skipped > 0) ? 1 : 0);
