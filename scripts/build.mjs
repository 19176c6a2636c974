import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { build as buildPage } from 'vite';
import { inlineServiceTypes } from './inline-types.mjs';
import { publishedPackages } from './published-packages.mjs';
import { runAll } from './run-all.mjs';

// Builds the named packages, or all: JavaScript by tsup, declarations by the compiler. Packages are built from each
// other's sources, in any order. Packages with the same compiler settings share one run of the compiler, because each
// run reads the sources of every package that they import. Types are not checked (`npm run typecheck`), except that
// declarations need the annotations that `isolatedDeclarations` asks for.
const names = process.argv.length > 2 ? process.argv.slice(2) : publishedPackages();
const cache = 'node_modules/.cache/build-types';
rmSync(cache, { recursive: true, force: true });
for (const name of names) rmSync(`packages/${name}/dist`, { recursive: true, force: true });
const groups = groupsOf(names);
const failed = await runAll([
  ...groups.map(([settings, members], i) => ({
    name: `types of ${members.join(', ')}`,
    args: ['tsc', '-p', projectOf(settings, members, i), '--noCheck'],
  })),
  ...names.map((name) => ({ name: `code of @va/${name}`, args: ['tsup', '--silent'], cwd: `packages/${name}` })),
]);
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exit(1);
}
for (const [i, [, members]] of groups.entries()) {
  for (const name of members) moveInto(`packages/${name}/dist`, `${cache}/${i}/${name}/src`);
}
for (const name of names) {
  for (const entry of readdirSync(`packages/${name}/dist`, { recursive: true })) {
    if (entry.endsWith('.d.ts')) nameAsBuilt(`packages/${name}/dist/${entry}`);
  }
}
if (names.includes('client')) await inlineServiceTypes('packages/client/dist');
// The page of the console is not a library: Vite builds it, in place of the declarations of its sources.
if (names.includes('console')) await buildPage({ configFile: 'packages/console/vite.config.ts' });

/**
 * Replaces the names of source files in the imports of a declaration, which the compiler keeps, by those of the built
 * files.
 */
function nameAsBuilt(file) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/((?:from |import\(|import )(['"])\.{1,2}\/[^'"]+)\.ts\2/g, '$1.js$2'));
}

/** Groups packages by their compiler settings. */
function groupsOf(names) {
  const groups = new Map();
  for (const name of names) {
    const settings = settingsOf(name);
    groups.set(settings, [...(groups.get(settings) ?? []), name]);
  }
  return [...groups];
}

/** Returns the compiler settings of a package, as text to group by. */
function settingsOf(name) {
  const withoutComments = readFileSync(`packages/${name}/tsconfig.json`, 'utf8').replace(/^\s*\/\/.*$/gm, '');
  return JSON.stringify(JSON.parse(withoutComments).compilerOptions ?? {});
}

/** Writes the project file of one compiler run, whose declarations go to a folder of the cache. Returns its path. */
function projectOf(settings, members, i) {
  const root = '../../..';
  const compilerOptions = {
    ...JSON.parse(settings),
    noEmit: false,
    emitDeclarationOnly: true,
    rootDir: `${root}/packages`,
    outDir: `./${i}`,
  };
  const include = members.map((name) => `${root}/packages/${name}/src`);
  mkdirSync(cache, { recursive: true });
  const file = `${cache}/${i}.json`;
  writeFileSync(file, JSON.stringify({ extends: `${root}/tsconfig.base.json`, compilerOptions, include }));
  return file;
}

function moveInto(dist, declarations) {
  for (const entry of readdirSync(declarations, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const folder = `${dist}${entry.parentPath.slice(declarations.length)}`;
    mkdirSync(folder, { recursive: true });
    renameSync(`${entry.parentPath}/${entry.name}`, `${folder}/${entry.name}`);
  }
}
