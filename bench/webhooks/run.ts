import { startPostgres } from '@va/test-servers/postgres';
import { bundleSources } from '../../scripts/bundle-sources.mjs';
import { keepAwake } from '../support/awake.ts';
import { nextMessage, startNode } from '../support/child-process.ts';

/**
 * Measures the webhooks per second that one process delivers, end to end, next to bare requests and a bare pg-boss; the
 * cost of a backlog; and the effect of one dead customer on the others. The contenders alternate in one process on its
 * own CPU; PostgreSQL and the customers' servers use the other one.
 */
console.log(`processors: ${await keepAwake()}`);
const service = await bundleSources(new URL('./measure.ts', import.meta.url), 'source');
const customers = await bundleSources(new URL('./customer-servers.ts', import.meta.url), 'source');
const server = await startPostgres();
const child = startNode([customers], { processor: 1 });
const ports = await nextMessage<number[]>(child);
const measuring = startNode([...process.execArgv.filter((each) => each.startsWith('--cpu-prof')), service], {
  processor: 0,
});
const ended = new Promise<number>((resolve) => measuring.once('exit', (code) => resolve(code ?? 1)));
// Relays messages between the measuring process and the customers' servers.
measuring.on('message', (message: number | 'count') => child.send(message));
child.on('message', (message: 'ready' | number[] | { answered: number }) => measuring.send(message));
measuring.send({ connectionString: server.connectionString, ports });
process.exitCode = await ended;
child.kill();
await server.stop();
