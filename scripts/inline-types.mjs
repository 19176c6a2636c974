import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runAll } from './run-all.mjs';

const inlined = 'service-types';
const isService = /(['"])@va\/(?:core|http\/types)\1/;

/**
 * Rewrites the declarations of the client, so that they import the types of the service from one file beside them
 * instead of `@va/core` and `@va/http/types`. That file needs no package: the compiler resolves the types down to plain
 * objects without zod.
 */
export async function inlineServiceTypes(dist) {
  const files = readdirSync(dist).filter((file) => file.endsWith('.d.ts') && isService.test(read(dist, file)));
  const names = new Set(files.flatMap((file) => coreNames(read(dist, file))));
  // Inside the package, so that the compiler resolves the other packages from it.
  const work = mkdtempSync(join(dist, '.inline-'));
  try {
    writeFileSync(join(work, 'entry.ts'), entryOf(names));
    writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(settings));
    const args = ['tsc', '-p', join(work, 'tsconfig.json')];
    const failed = await runAll([{ name: 'service types of the client', args }]);
    if (failed.length > 0) throw new Error('The service types of the client cannot be resolved.');
    const emitted = join(work, 'out');
    const entry = readdirSync(emitted, { recursive: true }).find((file) => file.endsWith('entry.d.ts'));
    const text = [
      plain(read(emitted, entry)),
      routeTypes(read(emitted, 'http/src/route/route-types.d.ts')),
      routeTable(read(emitted, 'http/src/routes/routes.d.ts')),
    ].join('\n');
    const foreign = /^.*(?:import\(|\bfrom ['"]|@va\/|\b(?:z|core|http)\.\w).*$/m.exec(text);
    if (foreign !== null) throw new Error(`A type of the client is not plain: ${foreign[0].trim()}`);
    writeFileSync(join(dist, `${inlined}.d.ts`), text);
  } finally {
    rmSync(work, { recursive: true });
  }
  for (const file of files) {
    const up = file.split(/[\\/]/).length > 1 ? '../'.repeat(file.split(/[\\/]/).length - 1) : './';
    writeFileSync(join(dist, file), read(dist, file).replace(new RegExp(isService, 'g'), `$1${up}${inlined}.js$1`));
  }
}

const settings = {
  extends: '../../../../tsconfig.base.json',
  compilerOptions: {
    isolatedDeclarations: false,
    noEmit: false,
    emitDeclarationOnly: true,
    rootDir: '../../..',
    outDir: 'out',
  },
  files: ['entry.ts'],
};

function read(...path) {
  return readFileSync(join(...path), 'utf8');
}

/** Returns the names that a file imports from `@va/core`, in braces or as `core.Name`. */
function coreNames(text) {
  const listed = [...text.matchAll(/\{([^{}]*)\} from '@va\/core'/g)].flatMap(([, list]) => list.split(','));
  const qualified = [...text.matchAll(/\bcore\.(\w+)/g)].map(([, name]) => name);
  return [...listed.map((name) => name.trim().split(' ')[0]), ...qualified].filter((name) => name !== '');
}

/**
 * Returns a source file with a constant of each type and without annotations, so that the compiler writes the types
 * out. It emits the declarations of http too, because http is imported by its path.
 */
function entryOf(names) {
  const taken = [...[...names].sort().map((name) => [name, `core.${name}`]), ['RawResponse', 'http.RawResponse']];
  return [
    "import type * as core from '@va/core';",
    "import type * as http from '../../../http/src/types.ts';",
    'declare function value<T>(): T;',
    'type Plain<T> = T extends object ? { [Key in keyof T]: T[Key] } : T;',
    ...taken.map(([name, type]) => `export const ${name} = value<Plain<${type}>>();`),
  ].join('\n');
}

function plain(text) {
  return text
    .replace(/^(?:import|type Plain|declare function|export \{\}).*\n?/gm, '')
    .replace(/^export declare const (\w+): /gm, 'export type $1 = ');
}

/**
 * Returns the types of routes without `Route` itself, which belongs to the service: the client needs only its types.
 */
function routeTypes(text) {
  return text
    .replace(/^import .*\n/gm, '')
    .replace('= Route & {', '= {')
    .replace('method: Method;', 'method: string;')
    .replace(/^export \{\};\n/m, '');
}

function routeTable(text) {
  return text
    .replace(/^import .*\n/gm, '')
    .replace(/import\("[^"]*"\)\.(DefinedRoute|RawResponse)/g, '$1')
    .replace('export declare const routes:', 'declare const routes:');
}
