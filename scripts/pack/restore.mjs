import { existsSync, renameSync, rmSync } from 'node:fs';

// Runs after `npm pack` and `npm publish`: takes back what `prepare.mjs` did.
for (const file of ['package.json', 'README.md']) {
  if (existsSync(`.unpacked-${file}`)) renameSync(`.unpacked-${file}`, file);
}
rmSync('LICENSE', { force: true });
