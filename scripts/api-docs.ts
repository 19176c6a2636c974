import { readFileSync, writeFileSync } from 'node:fs';
import { writeReference } from './api-docs/reference.ts';

// Writes docs/api.md. With `--check`, fails instead if the file is not up to date.
const file = new URL('../docs/api.md', import.meta.url);
const written = await writeReference();
if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (readFileSync(file, 'utf8') !== written) {
  console.error('docs/api.md is not up to date: npm run docs:api');
  process.exitCode = 1;
}
