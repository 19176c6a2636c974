import { existsSync, readdirSync } from 'node:fs';
import { runAll } from './run-all.mjs';

// The whole tree once, and each package by itself: a package's own settings (isolatedDeclarations) hold for it alone.
// With arguments, those projects.
const all = ['tsconfig.json', ...readdirSync('packages').map((name) => `packages/${name}/tsconfig.json`)];
const asked = process.argv.slice(2);
const failed = await runAll(
  (asked.length > 0 ? asked : all)
    .filter((project) => existsSync(project))
    .map((project) => ({ name: `types of ${project}`, args: ['tsc', '-p', project, '--noEmit'] })),
);
process.exit(failed.length === 0 ? 0 : 1);
