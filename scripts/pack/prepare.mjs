import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { absoluteLinks, missingFiles, toPublished } from './manifest.mjs';

// Runs before `npm pack` and `npm publish`, in the folder of the package: refuses a package that is not built, and
// puts the published manifest, README and LICENSE in place. `restore.mjs` takes them back afterwards.
const saved = ['package.json', 'README.md'];
for (const file of saved) {
  // Left by a run that was interrupted.
  if (existsSync(`.unpacked-${file}`)) renameSync(`.unpacked-${file}`, file);
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const missing = missingFiles(manifest, '.');
if (missing.length > 0) {
  console.error(`${manifest.name} is not built (npm run build): ${missing.join(', ')} missing.`);
  process.exit(1);
}
for (const file of saved) copyFileSync(file, `.unpacked-${file}`);
replace('package.json', `${JSON.stringify(toPublished(manifest), null, 2)}\n`);
replace('README.md', absoluteLinks(readFileSync('README.md', 'utf8'), manifest));
copyFileSync('../../LICENSE', 'LICENSE');

/** Replaces a file atomically: a compiler that reads an empty package.json treats the package as CommonJS. */
function replace(file, text) {
  writeFileSync(`.packed-${file}`, text);
  renameSync(`.packed-${file}`, file);
}
