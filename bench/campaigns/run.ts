import { startPostgres } from '@va/test-servers/postgres';
import { bundleSources } from '../../scripts/bundle-sources.mjs';
import { keepAwake } from '../support/awake.ts';
import { startNode } from '../support/child-process.ts';
import type { Settings } from './settings.ts';

/**
 * Measures the import of a million leads into campaigns on PostgreSQL, its memory, and the duration of scheduler passes
 * before any lead has been called and after nine of ten have been. It runs in one process on its own processor;
 * PostgreSQL uses the other one. Arguments for a shorter run: leads, passes.
 */
const [leads = 1_000_000, passes = 400] = process.argv.slice(2).map(Number);
console.log(`processors: ${await keepAwake()}`);
const script = await bundleSources(new URL('./measure.ts', import.meta.url), 'source');
const server = await startPostgres();
const profile = process.execArgv.filter((each) => each.startsWith('--cpu-prof'));
const measuring = startNode([...profile, script], { processor: 0 });
const ended = new Promise<number>((resolve) => measuring.once('exit', (code) => resolve(code ?? 1)));
measuring.send({ connectionString: server.connectionString, leads, passes } satisfies Settings);
process.exitCode = await ended;
await server.stop();
