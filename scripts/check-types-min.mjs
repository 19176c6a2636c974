import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { publishedPackages } from './published-packages.mjs';

// Checks the declarations of every entry with the oldest TypeScript that docs/deployment.md names, and without
// skipLibCheck. That version is downloaded to a temporary folder. Only our declarations are checked, which takes half
// of the time: those of other packages may have errors that are not ours.
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
  const typescript = createRequire(import.meta.url)(join(work, 'package'));
  for (const resolution of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])
    check(typescript, ...resolution);
} finally {
  rmSync(work, { recursive: true });
}

function check(typescript, module, moduleResolution) {
  const settings = {
    ...{ noEmit: true, strict: true, skipLibCheck: false, types: ['node'] },
    ...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], module, moduleResolution },
  };
  const { options, errors } = typescript.convertCompilerOptionsFromJson(settings, process.cwd());
  const program = typescript.createProgram([consumer], options);
  const ours = program
    .getSourceFiles()
    .filter(({ fileName }) => /^packages\/|^node_modules\/\.cache\//.test(relative('', fileName)));
  const found = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ours.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  if (ours.length <= entries.length) throw new Error(`Only ${ours.length} files of ours were found.`);
  if (found.length > 0) {
    const host = typescript.createCompilerHost(options);
    throw new Error(
      `TypeScript ${minimum} (${moduleResolution}): ${typescript.formatDiagnostics(found.slice(0, 20), host)}`,
    );
  }
  console.log(`TypeScript ${minimum} reads the declarations of ${entries.length} entries (${moduleResolution}).`);
}

function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
}
