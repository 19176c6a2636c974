import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// Installs native packages that few users need, and that are large or may have to be compiled: the Opus codec (an
// optional peer dependency of @va/media), the runtime of ONNX models (one of @va/providers), and SQLite (a dependency
// of examples/sqlite-storage). Without them their tests are skipped and say so. The versions are taken from these
// packages. Arguments are passed to npm. A later `npm install` removes the packages, as no package.json of the
// workspace has them as regular dependencies.
const read = (path) => JSON.parse(readFileSync(new URL(`../${path}/package.json`, import.meta.url), 'utf8'));
const wanted = {
  '@discordjs/opus': read('packages/media').peerDependencies['@discordjs/opus'],
  'onnxruntime-node': read('packages/providers').peerDependencies['onnxruntime-node'],
  'better-sqlite3': read('examples/sqlite-storage').dependencies['better-sqlite3'],
};
const specifiers = Object.entries(wanted).map(([name, range]) => `${name}@${range}`);
const args = ['install', '--no-save', ...process.argv.slice(2), ...specifiers];
// The package of the ONNX runtime has what a CPU needs; its install script would download what a GPU needs.
const env = { ONNXRUNTIME_NODE_INSTALL: 'skip', ...process.env };
const { status } = spawnSync('npm', args, { stdio: 'inherit', env, shell: process.platform === 'win32' });
process.exitCode = status ?? 1;
