import { median, percentile, round } from '../support/statistics.ts';
import { bareBoss } from './bare-boss.ts';
import { bareRequests } from './bare-requests.ts';
import { startOurs } from './ours.ts';
import { backlog, blocks, customers, deliveries, eventsPerSecond, rounds, seconds } from './settings.ts';

function told<T>(): Promise<T> {
  return new Promise((resolve) => process.once('message', (message) => resolve(message as T)));
}

/**
 * Starts counting at the customers' servers. The returned function waits for that many requests, and returns the
 * latency of each.
 */
async function arrivals(count: number): Promise<() => Promise<number[]>> {
  const ready = told();
  process.send?.(count);
  await ready;
  const latenciesMs = told<number[]>();
  return () => latenciesMs;
}

const { connectionString, ports } = await told<{ connectionString: string; ports: number[] }>();
const urls = ports.map((port) => `http://127.0.0.1:${port}/hook`);
const living = urls.slice(0, customers);
const dead = urls[customers] ?? '';
const ours = await startOurs(connectionString, urls);
const boss = await bareBoss(connectionString);

/** Returns the number of requests answered so far, including the backlog. */
async function deliveredToAll(): Promise<number> {
  const count = told<{ answered: number }>();
  process.send?.('count');
  return (await count).answered;
}

async function rateOf(deliver: (urls: readonly string[]) => Promise<void>): Promise<number> {
  const arrived = await arrivals(deliveries);
  const startMs = performance.now();
  await deliver(living);
  await arrived();
  return (deliveries * 1_000) / (performance.now() - startMs);
}

/** Returns the 95th percentile in ms from the event to the request at a live customer, for events at a steady rate. */
async function p95Of(targets: readonly string[]): Promise<number> {
  const count = eventsPerSecond * seconds;
  const toLiving = Array.from({ length: count }, (_, n) => targets[n % targets.length]).filter((url) => url !== dead);
  const arrived = await arrivals(toLiving.length);
  await ours.pace(targets, count, eventsPerSecond);
  return percentile(await arrived(), 0.95);
}

const spread = (values: readonly number[], digits = 0): string =>
  `${round(median(values), digits)} (${round(Math.min(...values), digits)} to ${round(Math.max(...values), digits)})`;

// Warms up connections and plans.
for (const deliver of [bareRequests, boss.deliver, ours.deliver]) await rateOf(deliver);

const rates = { requests: [] as number[], boss: [] as number[], ours: [] as number[] };
const ratios: number[] = [];
for (let n = 1; n <= rounds; n += 1) {
  // Removes the jobs of earlier rounds.
  await boss.clear();
  rates.requests.push(await rateOf(bareRequests));
  const bossRate = await rateOf(boss.deliver);
  const ownRate = await rateOf(ours.deliver);
  rates.boss.push(bossRate);
  rates.ours.push(ownRate);
  ratios.push(ownRate / bossRate);
}
console.log(`undici   ${spread(rates.requests)} a second`);
console.log(`pg-boss  ${spread(rates.boss)} a second`);
console.log(`ours     ${spread(rates.ours)} a second, ${spread(ratios, 2)} times pg-boss`);

// Alternating short blocks, so that other load on the machine affects both alike.
const p95 = { alone: [] as number[], besideDead: [] as number[] };
const neighbourRatios: number[] = [];
const both = [
  async () => p95.alone.push(await p95Of(living)),
  async () => p95.besideDead.push(await p95Of([...living.slice(1), dead])),
];
for (let n = 0; n < blocks; n += 1) {
  for (const measure of n % 2 === 0 ? both : both.toReversed()) await measure();
  // Ratio of two adjacent blocks, because the load of the machine changes within minutes.
  neighbourRatios.push((p95.besideDead.at(-1) ?? Number.NaN) / (p95.alone.at(-1) ?? Number.NaN));
}
console.log(
  `event to POST, p95: ${spread(p95.alone, 1)} ms, with a dead neighbour ${spread(p95.besideDead, 1)} ms, ` +
    `${spread(neighbourRatios, 2)} times that`,
);

await ours.pile(living, backlog);
const withBacklog = { rates: [] as number[], p95: [] as number[] };
for (let n = 0; n < rounds; n += 1) {
  withBacklog.rates.push(await rateOf(ours.deliver));
  withBacklog.p95.push(await p95Of(living));
}
console.log(`${backlog} jobs wait: ${spread(withBacklog.rates)} a second, p95 ${spread(withBacklog.p95, 1)} ms`);

await ours.untilDue();
const deliveredBefore = await deliveredToAll();
const startMs = performance.now();
const meanwhile: number[] = [];
for (let n = 0; n < rounds; n += 1) meanwhile.push(await p95Of(living));
const delivered = (await deliveredToAll()) - deliveredBefore - rounds * eventsPerSecond * seconds;
const workedOff = (delivered * 1_000) / (performance.now() - startMs);
console.log(`they come up: ${Math.round(workedOff)} of them a second, p95 of new ones ${spread(meanwhile, 1)} ms`);

await ours.close();
await boss.close();
process.disconnect();

console.log(
  JSON.stringify({
    ratio_to_pgboss: round(median(ratios)),
    slow_neighbour_ratio: round(median(neighbourRatios)),
    ratio_to_undici: round(median(rates.ours) / median(rates.requests)),
    deliveries_per_second: Math.round(median(rates.ours)),
    event_to_post_p95_ms: round(median(p95.alone)),
    backlog_deliveries_per_second: Math.round(median(withBacklog.rates)),
    backlog_event_to_post_p95_ms: round(median(withBacklog.p95)),
    working_off_per_second: Math.round(workedOff),
    working_off_event_to_post_p95_ms: round(median(meanwhile)),
  }),
);
