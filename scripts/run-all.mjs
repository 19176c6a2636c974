import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url));

/**
 * Runs executables of installed packages, as many at once as there are processors, and returns the names of the jobs
 * that failed. The output of a job is printed when it has ended, so that outputs do not mix.
 */
export async function runAll(jobs) {
  const waiting = [...jobs];
  const failed = [];
  const worker = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      if (!(await run(job))) failed.push(job.name);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return failed;
}

function run({ name, args: [program, ...args], cwd = '.' }) {
  return new Promise((resolve) => {
    const child = spawn(`${bin}${program}`, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (status) => {
      process.stdout.write(output);
      if (status === 0) console.log(`${name}: done`);
      resolve(status === 0);
    });
  });
}
