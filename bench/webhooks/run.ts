import { startPostgres } from '../../packages/storage/test/support/postgres-server.ts';
import { nextMessage, startNode } from '../support/child-process.ts';
import { median, percentile, round } from '../support/statistics.ts';
import { bareBoss } from './bare-boss.ts';
import { bareRequests } from './bare-requests.ts';
import { startOurs } from './ours.ts';
import { customers, deliveries, eventsPerSecond, rounds, seconds } from './settings.ts';

/**
 * How many webhooks a second one process delivers, end to end, beside bare requests and a bare pg-boss; and what one dead customer costs
 * the others. All in turn, on one machine, against the same servers and the same PostgreSQL.
 */
const server = await startPostgres();
const child = startNode(
  ['--conditions=@va/source', '--import', 'tsx', new URL('./customer-servers.ts', import.meta.url).pathname],
  { processor: 'any' },
);
const ports = await nextMessage<number[]>(child);
const urls = ports.map((port) => `http://127.0.0.1:${port}/hook`);
const living = urls.slice(0, customers);
const dead = urls[customers] ?? '';

/** Resolves to how long each of so many took from the event to the customer's server. */
function arrivals(count: number): Promise<number[]> {
  child.send(count);
  return nextMessage<number[]>(child);
}

const ours = await startOurs(server.connectionString);
const boss = await bareBoss(server.connectionString);
const rates = { requests: [] as number[], boss: [] as number[], ours: [] as number[] };
const p95 = { alone: [] as number[], besideDead: [] as number[] };

async function rateOf(deliver: (urls: readonly string[]) => Promise<void>): Promise<number> {
  const arrived = arrivals(deliveries);
  const startMs = performance.now();
  await deliver(living);
  await arrived;
  return (deliveries * 1_000) / (performance.now() - startMs);
}

/** Events come one by one at a steady pace; the 95th percentile from the event to the customers that live, in ms. */
async function p95Of(targets: readonly string[]): Promise<number> {
  const count = eventsPerSecond * seconds;
  const toLiving = Array.from({ length: count }, (_, n) => targets[n % targets.length]).filter((url) => url !== dead);
  const arrived = arrivals(toLiving.length);
  await ours.pace(targets, count, eventsPerSecond);
  return percentile(await arrived, 0.95);
}

// Connections and plans are made before anything is measured.
for (const deliver of [bareRequests, boss.deliver, ours.deliver]) await rateOf(deliver);

for (let n = 1; n <= rounds; n += 1) {
  rates.requests.push(await rateOf(bareRequests));
  rates.boss.push(await rateOf(boss.deliver));
  rates.ours.push(await rateOf(ours.deliver));
  const [bare, bossRate, own] = [rates.requests, rates.boss, rates.ours].map((all) => Math.round(all.at(-1) ?? 0));
  console.log(`round ${n}: undici ${bare}/s, pg-boss ${bossRate}/s, ours ${own}/s`);
}

for (let n = 1; n <= rounds; n += 1) {
  p95.alone.push(await p95Of(living));
  p95.besideDead.push(await p95Of([...living.slice(1), dead]));
  const [alone, beside] = [p95.alone.at(-1) ?? 0, p95.besideDead.at(-1) ?? 0];
  console.log(`round ${n}: event to POST p95 ${round(alone)} ms, with a dead neighbour ${round(beside)} ms`);
}

await ours.close();
await boss.close();
child.kill();
await server.stop();

console.log(
  JSON.stringify({
    ratio_to_pgboss: round(median(rates.ours) / median(rates.boss)),
    slow_neighbour_ratio: round(median(p95.besideDead) / median(p95.alone)),
    ratio_to_undici: round(median(rates.ours) / median(rates.requests)),
    deliveries_per_second: Math.round(median(rates.ours)),
    event_to_post_p95_ms: round(median(p95.alone)),
  }),
);
