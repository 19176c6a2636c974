import { startPostgres } from '../../packages/storage/test/support/postgres-server.ts';
import { keepAwake } from '../support/awake.ts';
import { bundle } from '../support/bundle.ts';
import { nextMessage, startNode } from '../support/child-process.ts';

/**
 * How many webhooks a second one process delivers, end to end, beside bare requests and a bare pg-boss; what a backlog costs, and what one
 * dead customer costs the others. All in turn, in one process with a processor of its own; PostgreSQL and the customers' servers have the other.
 */
console.log(`processors: ${await keepAwake()}`);
const service = await bundle(new URL('./measure.ts', import.meta.url), 'webhooks-service', 'sources');
const customers = await bundle(new URL('./customer-servers.ts', import.meta.url), 'webhooks-customers', 'sources');
const server = await startPostgres();
const child = startNode([customers], { processor: 1 });
const ports = await nextMessage<number[]>(child);
const measuring = startNode([...process.execArgv.filter((each) => each.startsWith('--cpu-prof')), service], {
  processor: 0,
});
const ended = new Promise<number>((resolve) => measuring.once('exit', (code) => resolve(code ?? 1)));
// What the customers' servers are told, and tell.
measuring.on('message', (message: number | 'count') => child.send(message));
child.on('message', (message: 'ready' | number[] | { answered: number }) => measuring.send(message));
measuring.send({ connectionString: server.connectionString, ports });
process.exitCode = await ended;
child.kill();
await server.stop();
