import type { ChildProcess } from 'node:child_process';
import { startPostgres } from '@va/test-servers/postgres';
import autocannon from 'autocannon';
import pg from 'pg';
import { keepAwake } from '../support/awake.ts';
import { bundle } from '../support/bundle.ts';
import { disconnect, nextMessage, pinned, startNode } from '../support/child-process.ts';
import { median, percentile, round } from '../support/statistics.ts';
import { recordStatements } from './recorded-sql.ts';
import { type Seed, seed } from './seed.ts';
import { type Contestant, contestants, type ServerSettings } from './settings.ts';

/**
 * Compares the API on Node's server, with keys, validation and limits, with a bare Hono handler and a bare fastify
 * route that run the same prepared statements on the same PostgreSQL. Then measures lists of an organization with a
 * million calls.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
const secondsPerRound = 3;
const clients = 64;
const calls = Number(process.env.BENCH_CALLS ?? 1_000_000);
const pageRequests = 400;
/** Flags for the servers, such as `--cpu-prof`. */
const serverFlags = process.env.BENCH_NODE_FLAGS?.split(' ') ?? [];

interface Contender {
  readonly name: Contestant;
  readonly url: string;
  readonly process: ChildProcess;
}

async function start(name: Contestant, script: string, settings: ServerSettings): Promise<Contender> {
  const child = startNode(['--expose-gc', ...serverFlags, script, name], {
    processor: 0,
    env: { BENCH_SETTINGS: JSON.stringify(settings) },
  });
  const { port } = await nextMessage<{ port: number }>(child);
  return { name, process: child, url: `http://127.0.0.1:${port}/api/v1` };
}

interface Result {
  readonly rps: number;
  readonly p99Ms: number;
  /** CPU time of the server per request, all threads. */
  readonly cpuUs: number;
}

/** Loads the contenders in alternating short rounds, so that other load on the machine affects all of them alike. */
async function race(
  contenders: readonly Contender[],
  path: string,
  apiKey: string,
): Promise<Record<Contestant, Result>> {
  const load = async (contender: Contender, duration: number): Promise<Result> => {
    const { url } = contender;
    const headers = { authorization: `Bearer ${apiKey}` };
    const before = await usage(contender, 'time');
    const result = await autocannon({ url: `${url}${path}`, connections: clients, duration, headers });
    const after = await usage(contender, 'time');
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}${path} failed ${result.non2xx} times.`);
    const cpuUs = ((after.cpuMs - before.cpuMs) / result.requests.total) * 1_000;
    return { rps: result.requests.total / result.duration, p99Ms: result.latency.p99, cpuUs };
  };
  const results = new Map<Contestant, Result[]>(contestants.map((name) => [name, []]));
  for (const contender of contenders) await load(contender, 2);
  for (let n = 0; n < rounds; n += 1) {
    for (const contender of contenders) results.get(contender.name)?.push(await load(contender, secondsPerRound));
  }
  const medians = [...results].map(([name, of]): [Contestant, Result] => {
    const medianOf = (key: keyof Result): number => median(of.map((result) => result[key]));
    return [name, { rps: medianOf('rps'), p99Ms: medianOf('p99Ms'), cpuUs: medianOf('cpuUs') }];
  });
  return Object.fromEntries(medians) as Record<Contestant, Result>;
}

async function pageP95Ms({ url }: Contender, path: string, apiKey: string): Promise<number> {
  const tookMs: number[] = [];
  for (let n = 0; n < pageRequests; n += 1) {
    const startedAt = performance.now();
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
    await response.arrayBuffer();
    tookMs.push(performance.now() - startedAt);
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}.`);
  }
  return percentile(tookMs.slice(20), 0.95);
}

interface Usage {
  readonly rssMb: number;
  readonly cpuMs: number;
}

/** Returns what a server has used so far. Memory is read after a garbage collection. */
async function usage({ process: child }: Contender, asked: 'time' | 'memory'): Promise<Usage> {
  const told = nextMessage<Usage>(child);
  child.send(asked);
  return await told;
}

async function statementsOf(
  connectionString: string,
  { orgId, agentId }: Seed,
): Promise<Omit<ServerSettings, 'connectionString'>> {
  const pool = new pg.Pool({ connectionString, max: 1 });
  const [agentSql] = await recordStatements(pool, ({ agents }) => agents.get(orgId, agentId));
  const [countSql] = await recordStatements(pool, (records) => records.calls.count(orgId, { where: {} }));
  const [listSql] = await recordStatements(pool, (records) =>
    records.calls.list(orgId, { where: {}, limit: 20, offset: 0 }),
  );
  await pool.end();
  if (!agentSql || !countSql || !listSql) throw new Error('A statement was not recorded.');
  return { agentSql, countSql, listSql };
}

console.log(`processors: ${await keepAwake()}`);
const server = await startPostgres();
try {
  const { connectionString } = server;
  const startedAt = performance.now();
  const seeded = await seed(connectionString, calls);
  console.log(`${calls} calls made in ${round((performance.now() - startedAt) / 1_000, 0)} s; pinned: ${pinned}`);
  const settings = { connectionString, ...(await statementsOf(connectionString, seeded)) };
  const script = await bundle(new URL('./server.ts', import.meta.url), 'http-server');
  const contenders: Contender[] = [];
  for (const name of contestants) contenders.push(await start(name, script, settings));
  const [ours] = contenders;
  if (ours === undefined) throw new Error('Nobody started.');

  const ratios: number[] = [];
  for (const path of [`/agents/${seeded.agentId}`, '/calls?limit=20']) {
    const result = await race(contenders, path, seeded.apiKey);
    const ratio = result.ours.rps / Math.max(result.hono.rps, result.fastify.rps);
    ratios.push(round(ratio));
    for (const name of contestants) {
      const { rps, p99Ms, cpuUs } = result[name];
      console.log(
        `${path.split('/')[1]?.slice(0, 14).padEnd(15)} ${name.padEnd(8)} ${round(rps, 0)} requests/s, p99 ` +
          `${round(p99Ms, 0)} ms, ${round(cpuUs, 0)} µs of the processor each`,
      );
    }
  }

  const pages = {
    'page 1': '/calls',
    'of 20': '/calls?limit=20',
    'by status': '/calls?status=failed',
    'by agent and reason': `/calls?agent_id=${seeded.rareAgentId}&end_reason=agent_hangup`,
    'by dates': '/calls?start_date=2026-03-05&end_date=2026-09-17T10:00:00Z',
    'by phone': '/calls?phone=%2B31600000007',
  };
  const pageMs: number[] = [];
  const before = (await usage(ours, 'memory')).rssMb;
  for (const [name, path] of Object.entries(pages)) {
    const p95Ms = await pageP95Ms(ours, path, seeded.apiKey);
    pageMs.push(p95Ms);
    console.log(`${calls} calls, ${name}: p95 ${round(p95Ms)} ms`);
  }
  const after = (await usage(ours, 'memory')).rssMb;
  console.log(
    `memory over ${pageRequests * Object.keys(pages).length} pages: ${round(before, 0)} -> ${round(after, 0)} MB`,
  );
  // The servers end before the database stops, which would break their idle connections.
  await Promise.all(contenders.map((contender) => disconnect(contender.process)));
  const [agentRatio, listRatio] = ratios;
  console.log(
    JSON.stringify({ agent_ratio: agentRatio, list_ratio: listRatio, page_p95_ms: round(Math.max(...pageMs)) }),
  );
} finally {
  await server.stop();
}
