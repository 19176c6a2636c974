import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishedPackages } from './published-packages.mjs';

// The oldest TypeScript that docs/deployment.md names reads the declarations of every entry, whole. It is fetched to a
// temporary folder: the repository itself has no use for it.
const [, minimum] = /\*\*TypeScript\*\* (\d+\.\d+) or later/.exec(readFileSync('docs/deployment.md', 'utf8')) ?? [];
if (minimum === undefined) throw new Error('docs/deployment.md names no minimum version of TypeScript.');

const entries = publishedPackages().flatMap((name) => {
  const { exports } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'));
  return Object.keys(exports).map((entry) => `@va/${name}${entry.slice(1)}`);
});
const consumer = 'node_modules/.cache/check-types-min.mts';
mkdirSync('node_modules/.cache', { recursive: true });
writeFileSync(consumer, entries.map((entry, i) => `export * as entry${i} from '${entry}';\n`).join(''));

const work = mkdtempSync(join(tmpdir(), 'va-typescript-'));
try {
  run('npm', ['pack', `typescript@~${minimum}.0`, '--pack-destination', work]);
  run('tar', ['-xzf', join(work, readdirSync(work)[0]), '-C', work]);
  const tsc = join(work, 'package/bin/tsc');
  for (const resolution of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])
    compile(tsc, ...resolution);
} finally {
  rmSync(work, { recursive: true });
}

function compile(tsc, module, moduleResolution) {
  const settings = `--noEmit --strict --skipLibCheck false --target es2022 --lib es2023,dom,dom.iterable --types node`;
  const args = [tsc, ...settings.split(' '), '--module', module, '--moduleResolution', moduleResolution, consumer];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  // Errors in the declarations of other packages are ignored.
  const lines = stdout.split('\n').filter((line) => line.includes('error TS'));
  const ours = lines.filter((line) => /^(?:error|packages\/|node_modules\/(?:@va|\.cache)\/)/.test(line));
  if (ours.length > 0 || (status !== 0 && lines.length === 0)) {
    throw new Error(`TypeScript ${minimum} (${moduleResolution}): ${ours.slice(0, 20).join('\n')}${stderr}`);
  }
  console.log(`TypeScript ${minimum} reads the declarations of ${entries.length} entries (${moduleResolution}).`);
}

function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
}
