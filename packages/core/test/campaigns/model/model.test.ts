import type { Storage } from '@va/core/adapter';
import { postgres } from '@va/storage/postgres';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CampaignWorld, type Outcome, type Settings } from './campaign-world.ts';

let server: PostgresServer;
let storages: Storage[] = [];

beforeAll(async () => {
  server = await startPostgres();
  const open = (): Storage => postgres({ connectionString: server.connectionString, migrations: 'auto' });
  storages = [open(), open(), open()];
  for (const storage of storages) await storage.start();
});

afterAll(async () => {
  await Promise.all(storages.map((storage) => storage.close()));
  await server.stop();
});

type Step = readonly [name: string, run: (world: CampaignWorld) => Promise<void>];

const step = (name: string, run: Step[1]): Step => [name, run];
const any = fc.nat({ max: 1_000 });
const minute = 60_000;
const hour = 60 * minute;

const settings: fc.Arbitrary<Settings> = fc
  .record({
    timezone: fc.constantFrom('Europe/Amsterdam', 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
    start: fc.constantFrom('00:00:00', '01:30:00', '02:15:00', '09:00:00'),
    end: fc.constantFrom('02:45:00', '03:00:00', '12:00:00', '23:59:59').map((end) => end),
    max_concurrent_calls: fc.integer({ min: 1, max: 4 }),
    calls_per_minute: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }),
    max_attempts: fc.integer({ min: 1, max: 3 }),
    retry_delay_seconds: fc.constantFrom(0, 30, 3_600, 30 * 3_600),
  })
  .filter(({ start, end }) => start < end);

const outcomes: readonly Outcome[] = ['busy', 'no_answer', 'declined', 'user_hangup', 'voicemail', 'llm_error'];

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(settings, fc.integer({ min: 1, max: 8 }))
      .map(([given, leads]) =>
        step(`create ${JSON.stringify(given)} with ${leads}`, (world) => world.create(given, leads)),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(any, fc.integer({ min: 1, max: 6 }))
      .map(([n, leads]) => step(`import ${leads} into ${n}`, (world) => world.import(n, leads))),
  },
  { weight: 2, arbitrary: any.map((n) => step(`start ${n}`, (world) => world.setStatus(n, 'scheduled'))) },
  { weight: 2, arbitrary: any.map((n) => step(`pause ${n}`, (world) => world.setStatus(n, 'paused'))) },
  { weight: 1, arbitrary: any.map((n) => step(`cancel ${n}`, (world) => world.setStatus(n, 'cancelled'))) },
  { weight: 2, arbitrary: any.map((n) => step(`delete a lead of ${n}`, (world) => world.deleteLead(n))) },
  { weight: 1, arbitrary: any.map((n) => step(`do not call ${n}`, (world) => world.doNotCall(n))) },
  { weight: 1, arbitrary: any.map((n) => step(`delete agent ${n}`, (world) => world.deleteAgent(n))) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(any, fc.integer({ min: 0, max: 25 }))
      .map(([n, verbs]) => step(`kill ${n} after ${verbs}`, (world) => world.kill(n, verbs))),
  },
  { weight: 1, arbitrary: fc.constant(step('bury the dead', (world) => world.buryDead())) },
  {
    weight: 12,
    arbitrary: fc
      .tuple(any, fc.constantFrom(...outcomes))
      .map(([n, outcome]) => step(`call ${n} ends: ${outcome}`, (world) => world.endCall(n, outcome))),
  },
  {
    weight: 10,
    arbitrary: fc
      .constantFrom(200, 1_000, 5_000, 20_000, minute)
      .map((ms) => step(`${ms} ms pass`, (world) => world.jump(ms))),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(15 * minute, hour, 7 * hour, 24 * hour)
      .map((ms) => step(`${ms / minute} min pass`, (world) => world.jump(ms))),
  },
);

/** Four times shortly before a change of daylight saving time, and an ordinary day. */
const starts = [
  '2026-03-07T22:00:00Z',
  '2026-03-28T20:00:00Z',
  '2026-10-24T20:00:00Z',
  '2026-04-04T12:00:00Z',
  '2026-06-10T08:00:00Z',
];

it('keeps hours, limits and counters under random events on three processes, and ends every campaign', async () => {
  let dials = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...starts),
      fc.record({ organization: fc.integer({ min: 2, max: 6 }), node: fc.integer({ min: 1, max: 4 }) }),
      fc.array(steps, { minLength: 20, maxLength: 60 }),
      async (startedAt, limits, happenings) => {
        const world = new CampaignWorld(storages, startedAt, limits);
        await world.open();
        try {
          const told: string[] = [];
          for (const [name, run] of happenings) {
            told.push(name);
            // Steps run while processes are busy, and every third time the world is idle before the next one.
            await run(world);
            if (told.length % 3 === 0) await world.check();
          }
          await world.check();
          await world.finish();
          dials += world.dials;
        } finally {
          await world.close();
        }
      },
    ),
    {
      numRuns: Number(process.env.VA_CAMPAIGN_RUNS ?? 12),
      seed: Number(process.env.VA_SEED ?? 4_711),
      endOnFailure: true,
    },
  );
  // Guards against runs that dial nothing.
  expect(dials).toBeGreaterThan(20);
});
