import { startPostgres } from '../../packages/storage/test/support/postgres-server.ts';
import { keepAwake } from '../support/awake.ts';
import { bundle } from '../support/bundle.ts';
import { startNode } from '../support/child-process.ts';
import type { Settings } from './settings.ts';

/**
 * A million leads in ten campaigns on PostgreSQL: how fast files of them are imported and with how much memory, and what a pass of the
 * scheduler costs while nobody has been called and when nine of ten have been. One process with a processor of its own; PostgreSQL has the
 * other. Arguments, for a shorter run: leads, and passes.
 */
const [leads = 1_000_000, passes = 400] = process.argv.slice(2).map(Number);
console.log(`processors: ${await keepAwake()}`);
const script = await bundle(new URL('./measure.ts', import.meta.url), 'campaigns', 'sources');
const server = await startPostgres();
const profile = process.execArgv.filter((each) => each.startsWith('--cpu-prof'));
const measuring = startNode([...profile, script], { processor: 0 });
const ended = new Promise<number>((resolve) => measuring.once('exit', (code) => resolve(code ?? 1)));
measuring.send({ connectionString: server.connectionString, leads, passes } satisfies Settings);
process.exitCode = await ended;
await server.stop();
