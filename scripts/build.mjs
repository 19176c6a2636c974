import { spawnSync } from 'node:child_process';

// In the order of their dependencies: a package's declarations are made from those of the packages it uses.
const order = [
  'core',
  'webhooks',
  'storage',
  'http',
  'sip',
  'providers',
  'mail',
  'local-speech',
  'testkit',
  'client',
  'cli',
];
for (const name of order) {
  const { status } = spawnSync('npx', ['tsup', '--silent'], { cwd: `packages/${name}`, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`build of @va/${name} failed`);
    process.exit(1);
  }
  console.log(`built @va/${name}`);
}
