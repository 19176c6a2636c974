import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs a program of a folder in tools/, which it installs the first time, or after its version has changed:
//
//     node scripts/tool.mjs FOLDER PROGRAM ARGUMENTS
//
// What is heavy and needed by few is there, so that who only runs the demo or the tests does not download it.
const [folder, program, ...args] = process.argv.slice(2);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const directory = join(root, 'tools', folder);

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Whether each dependency of the folder is there in the version that its package.json names. */
function isInstalled() {
  const { dependencies } = readJson(join(directory, 'package.json'));
  return Object.entries(dependencies).every(([name, version]) => {
    const manifest = join(directory, 'node_modules', name, 'package.json');
    return existsSync(manifest) && readJson(manifest).version === version;
  });
}

function run(command, commandArgs, cwd) {
  const { status, error } = spawnSync(command, commandArgs, {
    cwd,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (!isInstalled())
  run('npm', ['install', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'], directory);
run(join(directory, 'node_modules', '.bin', program), args, root);
