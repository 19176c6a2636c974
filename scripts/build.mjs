import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { inlineServiceTypes } from './inline-types.mjs';
import { runAll } from './run-all.mjs';

// Builds the packages named, or all: JavaScript by tsup, declarations by the compiler. Each is made from the sources of
// the others, so that no order has to be kept.
const names = process.argv.length > 2 ? process.argv.slice(2) : readdirSync('packages');
for (const name of names) rmSync(`packages/${name}/dist`, { recursive: true, force: true });
const failed = await runAll(
  names.flatMap((name) => [
    { name: `code of @va/${name}`, args: ['tsup', '--silent'], cwd: `packages/${name}` },
    {
      name: `types of @va/${name}`,
      args: ['tsc', '--noEmit', 'false', '--emitDeclarationOnly', '--rootDir', 'src', '--outDir', 'dist'],
      cwd: `packages/${name}`,
    },
  ]),
);
for (const name of names) {
  for (const entry of readdirSync(`packages/${name}/dist`, { recursive: true })) {
    if (entry.endsWith('.d.ts')) nameAsBuilt(`packages/${name}/dist/${entry}`);
  }
}
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exit(1);
}
if (names.includes('client')) await inlineServiceTypes('packages/client/dist');

/** The compiler leaves the sources' names in declarations; what is published are their outputs'. */
function nameAsBuilt(file) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/((?:from |import\(|import )(['"])\.{1,2}\/[^'"]+)\.ts\2/g, '$1.js$2'));
}
