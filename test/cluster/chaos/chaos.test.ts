import { createVoiceAgents, type NewAgent } from '@va/core';
import { jobQueues } from '@va/core/adapter';
import { postgres } from '@va/storage/postgres';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { wholeProgram } from '@va/test-servers/programs';
import { silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type CallStory, callOnce } from './caller.ts';
import { Customer } from './customer.ts';
import type { Failpoint } from './failpoints.ts';
import { NodeSlot } from './nodes.ts';

const seed = Number(process.env.VA_SEED ?? Math.floor(Math.random() * 1e9));
const callCount = Number(process.env.VA_CALLS ?? 300);
const callsAtOnce = 8;
const balance = 1_000_000;
const dialed = '+31201234567';
/** The commits of a call; a node must die before and after each of them. */
const expectedBoundaries = [
  'calls.insert',
  'calls.update jobs.send',
  'calls.update jobs.send callStatistics.insert usageLogs.insert organizations.increment',
  'callCommands.insert',
  'callCommands.update',
  'callEvents.insertMany',
];
const expectedPoints = expectedBoundaries.flatMap((boundary) => [`${boundary} (after)`, `${boundary} (before)`]);

let server: PostgresServer;
let pool: pg.Pool;
let boss: PgBoss;
let customer: Customer;
let slots: NodeSlot[];
let orgId: string;
let key: string;
const random = seeded(seed);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

beforeAll(async () => {
  server = await startPostgres();
  pool = server.openPool();
  customer = await Customer.start(seeded(seed + 1));
  const va = createVoiceAgents({
    storage: postgres({ connectionString: server.connectionString, migrations: 'auto' }),
    providers: [],
    // The providers are only on the nodes that take the calls.
    agents: { checkProviders: false },
    webhooks: webhooks({ allowPrivateTargets: true }),
    logger: silentLogger,
  });
  await va.start();
  ({ id: orgId } = await va.operations.organizations.create({ name: 'Chaos', minutes_balance: balance }));
  key = (await va.operations.apiKeys.issue(orgId, { name: 'chaos' })).secret;
  const written: NewAgent = {
    name: 'Anna',
    first_message: 'Good evening.',
    webhook_url: customer.url,
    stt_config: { provider: 'scripted' },
    llm_config: { provider: 'scripted' },
    tts_config: { provider: 'scripted' },
  };
  const agent = await va.operations.agents.create(orgId, written);
  customer.secret = agent.webhook_secret;
  await va.operations.numbers.register(orgId, { phone_number: dialed, agent_id: agent.id });
  await va.close();
  boss = await watchedJobs(server.connectionString);
  const file = await wholeProgram(new URL('node.ts', import.meta.url));
  const settings = { connectionString: server.connectionString, leaseMs: 5_000 };
  slots = await Promise.all([1, 2, 3].map(() => NodeSlot.open(file, settings)));
  expect(await Promise.all(slots.map((slot) => slot.start(null)))).toEqual([true, true, true]);
});

afterAll(async () => {
  await Promise.all((slots ?? []).map((slot) => slot.kill()));
  await boss.stop({ graceful: false });
  await pool.end();
  await customer.close();
  await server.stop();
});

// No retry: a second attempt would begin with the records of the first and hide a loss.
const once = { retry: 0, timeout: 900_000 };

it('loses and duplicates nothing while processes die, connections break and the database restarts', once, async () => {
  console.log(`The chaos has the seed ${seed} (VA_SEED).`);
  const stories: CallStory[] = [];
  const chaos = new Chaos();
  const wreaking = chaos.run();
  let begun = 0;
  const call = async (): Promise<void> => {
    // Continues until nodes have died before and after each commit of a call.
    while (begun < callCount || (chaos.hasWork && begun < 4 * callCount)) {
      begun += 1;
      // Copied because other calls begin while the database restarts.
      const n = begun;
      if (n === Math.floor(callCount / 3) || n === Math.floor((2 * callCount) / 3)) await server.restart();
      stories.push(await callOnce({ slots, dialed, key, random }, n));
      await pause(50 * random());
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, call));
  await chaos.stop();
  await wreaking;
  console.log(
    `${begun} calls, ${chaos.kills} nodes killed, ${chaos.reached.size} failpoints reached of ` +
      `${chaos.boundaries().length} commits.`,
  );
  for (const slot of slots) if (!slot.isRunning) await slot.start(null);

  await everythingDone();
  await expectEachCallToEndOnce(stories);
  await expectUsageToBeCountedOnce();
  await expectReportsToArrive();
  await expectCommandsToBeCarriedOutOnce(stories);
  expect([...chaos.reached].sort()).toEqual(expect.arrayContaining(expectedPoints));
});

/** Kills nodes at their failpoints and at random, and cuts connections. */
class Chaos {
  kills = 0;
  readonly reached = new Set<string>();
  readonly #tries = new Map<string, number>();
  #isStopped = false;

  boundaries(): string[] {
    return [...new Set(slots.flatMap((slot) => [...slot.boundaries]))];
  }

  /** True if a failpoint of `expectedBoundaries` has not been reached yet. */
  get hasWork(): boolean {
    return expectedPoints.some((name) => !this.reached.has(name));
  }

  async run(): Promise<void> {
    await Promise.all([...slots.map((slot) => this.#wreak(slot)), this.#cutConnections()]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
  }

  async #wreak(slot: NodeSlot): Promise<void> {
    while (!this.#isStopped) {
      const livesMs = slot.diesAt === null ? 2_500 + 6_000 * random() : 8_000;
      const untilMs = Date.now() + livesMs;
      while (slot.isRunning && Date.now() < untilMs && !this.#isStopped) await pause(50);
      if (this.#isStopped) return;
      const point = slot.diesAt;
      if (slot.isRunning) await slot.kill();
      else if (point !== null) this.reached.add(nameOf(point));
      this.kills += 1;
      const next = this.#next();
      if (next !== null) this.#tries.set(nameOf(next), this.#triesOf(next) + 1);
      await slot.start(next);
    }
  }

  /**
   * Returns the least tried of the failpoints that no node has died at and none is waiting for. Those of the commits of
   * a call are tried until they are reached, others four times.
   */
  #next(): Failpoint | null {
    const taken = new Set(
      slots.flatMap(({ diesAt, isRunning }) => (isRunning && diesAt !== null ? [nameOf(diesAt)] : [])),
    );
    const open = this.boundaries()
      .flatMap((boundary) => [{ boundary, when: 'before' } as const, { boundary, when: 'after' } as const])
      .filter((point) => !this.reached.has(nameOf(point)) && !taken.has(nameOf(point)))
      .filter((point) => expectedBoundaries.includes(point.boundary) || this.#triesOf(point) < 4)
      .sort((a, b) => this.#triesOf(a) - this.#triesOf(b));
    return open[0] ?? null;
  }

  #triesOf(point: Failpoint): number {
    return this.#tries.get(nameOf(point)) ?? 0;
  }

  async #cutConnections(): Promise<void> {
    while (!this.#isStopped) {
      for (let waited = 0; waited < 6_000 && !this.#isStopped; waited += 100) await pause(100);
      // While the database restarts, the query fails and there is nothing to cut.
      await pool
        .query(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and random() < 0.4',
        )
        .catch(() => {});
    }
  }
}

function nameOf({ boundary, when }: Failpoint): string {
  return `${boundary} (${when})`;
}

/** Opens a read-only pg-boss. */
async function watchedJobs(connectionString: string): Promise<PgBoss> {
  const reader = new PgBoss({
    ...{ connectionString, schema: 'va_boss', max: 2 },
    ...{ migrate: false, supervise: false, schedule: false, registerInstance: false },
  });
  reader.on('error', () => {});
  return await reader.start();
}

/** Waits for up to seven minutes: a report whose first two attempts failed is sent again after five. */
async function everythingDone(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows: live } = await pool.query(
        "select id from va.calls where status not in ('ended', 'failed') or analysis_status = 'pending'",
      );
      expect(live, 'calls that go on').toEqual([]);
      const jobs = await Promise.all(jobQueues.map((queue) => boss.findJobs(queue)));
      expect(jobs.flat(), 'jobs that wait').toEqual([]);
    },
    { timeout: 420_000, interval: 500 },
  );
}

async function expectEachCallToEndOnce(stories: readonly CallStory[]): Promise<void> {
  const { rows } = await pool.query(
    'select caller_phone, end_reason, answered_at, node_id from va.calls order by created_at, id',
  );
  expect(rows.length).toBeGreaterThan(callCount / 2);
  // When a node dies before it answers an INVITE, the INVITE is retransmitted and served by the next node on that port.
  const unanswered = new Set(
    rows.filter(({ answered_at: answeredAt }) => answeredAt === null).map(({ caller_phone: phone }) => phone),
  );
  const answered = rows.filter(({ answered_at: answeredAt }) => answeredAt !== null);
  const twice = answered.filter((row) =>
    answered.some((other) => other !== row && other.caller_phone === row.caller_phone),
  );
  expect(twice, 'callers who were answered more than once').toEqual([]);
  for (const { caller_phone: phone } of rows) {
    const ofCaller = rows.filter((row) => row.caller_phone === phone);
    if (ofCaller.length > 1) expect([phone, unanswered.has(phone)]).toEqual([phone, true]);
  }
  for (const row of rows) expect(row).toMatchObject({ end_reason: expect.any(String), node_id: null });
  const known = new Set(rows.map(({ caller_phone: phone }) => phone));
  const unknown = stories.filter(({ phone, isAnswered }) => isAnswered && !known.has(phone));
  expect(unknown, 'calls that were answered and are not on record').toEqual([]);
  const { rows: reasons } = await pool.query('select end_reason, count(*)::int as calls from va.calls group by 1');
  console.log(reasons.map(({ end_reason: reason, calls }) => `${calls} ${reason}`).join(', '));
}

async function expectUsageToBeCountedOnce(): Promise<void> {
  const { rows: wrong } = await pool.query(
    `select c.id, c.answered_at, count(u.id)::int as logs from va.calls c left join va.usage_logs u on u.call_id = c.id
      group by c.id, c.answered_at
      having count(u.id) <> case when c.answered_at is null then 0 else 1 end`,
  );
  expect(wrong, 'calls whose usage is not counted once').toEqual([]);
  const { rows } = await pool.query(
    `select minutes_balance, (select coalesce(sum(minutes_used), 0) from va.usage_logs) as used
      from va.organizations where id = $1`,
    [orgId],
  );
  expect(Number(rows[0]?.minutes_balance) + Number(rows[0]?.used)).toBeCloseTo(balance, 3);
}

async function expectReportsToArrive(): Promise<void> {
  const { rows } = await pool.query('select id, status from va.calls');
  const ids = new Map<string, Set<string>>();
  const accepted = new Map<string, number>();
  for (const { message, webhookId, accepted: isAccepted } of customer.received) {
    const { id, status } = message.call as { id: string; status: string };
    const isEnd = message.type === 'status-update' && status !== 'in-progress' && status !== 'ringing';
    if (message.type !== 'end-of-call-report' && !isEnd) continue;
    const name = `${message.type} of ${id}`;
    ids.set(name, (ids.get(name) ?? new Set()).add(webhookId));
    if (isAccepted) accepted.set(name, (accepted.get(name) ?? 0) + 1);
  }
  for (const { id } of rows) {
    for (const type of ['status-update', 'end-of-call-report']) {
      const name = `${type} of ${id}`;
      expect([name, ids.get(name)?.size, (accepted.get(name) ?? 0) >= 1]).toEqual([name, 1, true]);
    }
  }
}

async function expectCommandsToBeCarriedOutOnce(stories: readonly CallStory[]): Promise<void> {
  const { rows } = await pool.query("select call_id, data from va.call_events where type = 'transcript'");
  const spoken = rows.map(({ data }) => String(data.content)).join('\n');
  let said = 0;
  for (const { sentence } of stories) {
    if (sentence === null) continue;
    const times = spoken.split(sentence).length - 1;
    expect([sentence, times <= 1]).toEqual([sentence, true]);
    said += times;
  }
  const done = stories.filter(({ isCommandDone }) => isCommandDone).length;
  console.log(`${done} commands were carried out, ${said} sentences of them heard to the end.`);
  expect(done).toBeGreaterThan(callCount / 20);
  expect(said).toBeGreaterThan(0);
}

/** Mulberry32: small and reproducible. */
function seeded(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
