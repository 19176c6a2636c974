import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs a program of a folder in tools/, which is installed the first time and after a change of its version:
//
//     node scripts/tool.mjs FOLDER PROGRAM ARGUMENTS
//
// PROGRAM is an executable of a dependency, or a script of the folder (*.mjs); without one, it only installs. Heavy
// tools that few need are there, so that running the demo or the tests does not download them.
const [folder, program, ...args] = process.argv.slice(2);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const directory = join(root, 'tools', folder);

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Returns true if each dependency of the folder is installed in the version of its package.json. */
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
if (program === undefined) process.exit();
if (program.endsWith('.mjs')) run(process.execPath, [join(directory, program), ...args], root);
else run(join(directory, 'node_modules', '.bin', program), args, root);
