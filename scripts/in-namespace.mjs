import { spawnSync } from 'node:child_process';

// Runs a command in a network namespace of its own, in which there is nothing but loopback: what it sends cannot leave,
// and what it does to the network nobody else feels. Needs the Debian packages util-linux and iproute2, and root or a
// kernel that lets users have namespaces; where there is none it says so and ends with 75.
const unavailable = 75;
const unshare = ['unshare', process.getuid?.() === 0 ? '-n' : '-rn', 'sh', '-c'];

function run(script, args, stdio) {
  const [command, ...rest] = [...unshare, script, 'sh', ...args];
  return spawnSync(command, rest, { stdio, encoding: 'utf8' });
}

const trial = run('ip link set lo up', [], 'pipe');
if (trial.status !== 0) {
  const why = trial.error?.message ?? trial.stderr.trim();
  console.error(`There is no network namespace to be had here: ${why}`);
  process.exit(unavailable);
}
const { status } = run('ip link set lo up && exec "$@"', process.argv.slice(2), 'inherit');
process.exit(status ?? 1);
