import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Runs every suite and closes with one plain line. A skipped test is one whose program (a SIP client, say) is missing
// here; in CI all of them are installed, and a skip is a failure.
const dir = mkdtempSync(join(tmpdir(), 'va-tests-'));
const outputFile = join(dir, 'results.json');
const args = [
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${outputFile}`,
  ...process.argv.slice(2),
];
const { status } = spawnSync('npx', args, { stdio: 'inherit' });

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numFailedTestSuites } = JSON.parse(
  readFileSync(outputFile, 'utf8'),
);
rmSync(dir, { recursive: true });
const skipped = numPendingTests + numTodoTests;
if (process.env.CI && skipped > 0) console.error(`In CI nothing may be skipped, but ${skipped} tests were.`);
if (numFailedTests === 0 && numFailedTestSuites > 0)
  console.error(`${numFailedTestSuites} test files could not be run.`);
const failed = status !== 0 || numFailedTests > 0 || (process.env.CI && skipped > 0);
console.log(`tests: ${numPassedTests} passed, ${numFailedTests} failed, ${skipped} skipped`);
process.exit(failed ? 1 : 0);
