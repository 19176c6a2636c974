import { existsSync, readdirSync } from 'node:fs';
import { runAll } from './run-all.mjs';

// The whole tree once, and each package by itself: a package's own settings (isolatedDeclarations) hold for it alone.
const projects = ['tsconfig.json', ...readdirSync('packages').map((name) => `packages/${name}/tsconfig.json`)];
const failed = await runAll(
  projects
    .filter((project) => existsSync(project))
    .map((project) => ({ name: `types of ${project}`, args: ['tsc', '-p', project, '--noEmit'] })),
);
process.exit(failed.length === 0 ? 0 : 1);
