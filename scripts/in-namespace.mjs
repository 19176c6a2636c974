import { spawnSync } from 'node:child_process';

// Runs a command in its own network namespace, which has only loopback: its packets cannot leave the machine, and its
// network settings do not affect other processes. Needs the Debian packages util-linux and iproute2, and root or a
// kernel that allows users to create namespaces; otherwise it prints the reason and exits with 75.
const unavailable = 75;
const unshare = ['unshare', process.getuid?.() === 0 ? '-n' : '-rn', 'sh', '-c'];

function run(script, args, stdio) {
  const [command, ...rest] = [...unshare, script, 'sh', ...args];
  return spawnSync(command, rest, { stdio, encoding: 'utf8' });
}

const trial = run('ip link set lo up', [], 'pipe');
if (trial.status !== 0) {
  const reason = trial.error?.message ?? trial.stderr.trim();
  console.error(`Network namespaces are not available: ${reason}`);
  process.exit(unavailable);
}
const { status } = run('ip link set lo up && exec "$@"', process.argv.slice(2), 'inherit');
process.exit(status ?? 1);
