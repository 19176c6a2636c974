import { runAll } from './run-all.mjs';

// In the order of their dependencies: a package's declarations are made from those of the packages it uses.
const stages = [
  ['core'],
  ['http', 'storage', 'sip', 'providers', 'webhooks', 'mail', 'local-speech'],
  ['client', 'testkit'],
  ['cli'],
];
for (const stage of stages) {
  const failed = await runAll(
    stage.map((name) => ({ name: `build of @va/${name}`, args: ['tsup', '--silent'], cwd: `packages/${name}` })),
  );
  if (failed.length > 0) {
    console.error(`failed: ${failed.join(', ')}`);
    process.exit(1);
  }
}
