import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { runAll } from './run-all.mjs';

// Checks the types of the whole tree, and of each package by itself, because the settings of a package
// (isolatedDeclarations) apply to it alone. With arguments, checks only those projects.
const all = ['tsconfig.json', ...readdirSync('packages').map((name) => `packages/${name}/tsconfig.json`)];
const asked = process.argv.slice(2);
// The checkers of a program repeat each other's work on the types that they share: on two processors, the default of
// four takes nearly twice the processor time of one, and is not faster.
const checkers = String(Math.min(4, Math.ceil(availableParallelism() / 2)));
const failed = await runAll(
  (asked.length > 0 ? asked : all)
    .filter((project) => existsSync(project))
    .map((project) => ({
      name: `types of ${project}`,
      args: ['tsc', '-p', project, '--noEmit', '--checkers', checkers],
    })),
);
process.exit(failed.length === 0 ? 0 : 1);
