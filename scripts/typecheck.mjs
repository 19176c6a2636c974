import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

// The whole tree once, then each package by itself: a package's own settings (isolatedDeclarations) hold for it alone.
const projects = ['tsconfig.json', ...readdirSync('packages').map((name) => `packages/${name}/tsconfig.json`)];
const failed = projects
  .filter((project) => existsSync(project))
  .filter((project) => spawnSync('npx', ['tsc', '-p', project, '--noEmit'], { stdio: 'inherit' }).status !== 0);
process.exit(failed.length === 0 ? 0 : 1);
