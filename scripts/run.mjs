import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleSources, stopBundler } from './bundle-sources.mjs';
import { setup as bundleWorkers } from './bundle-workers.mjs';

// Runs a program from the sources of this repository:
//
//     node scripts/run.mjs FILE ARGUMENTS
//
// The program finds its own file and arguments in `process.argv`, as if Node had started it.
const [file, ...args] = process.argv.slice(2);
if (file === undefined) throw new Error('Expected a file: node scripts/run.mjs FILE ARGUMENTS');
const path = resolve(file);
const [program] = await Promise.all([
  bundleSources(pathToFileURL(path), 'source', { sourcemap: 'linked', sourcesContent: false }),
  bundleWorkers(),
]);
await stopBundler();
process.argv.splice(1, Number.POSITIVE_INFINITY, path, ...args);
process.setSourceMapsEnabled(true);
await import(pathToFileURL(program).href);
