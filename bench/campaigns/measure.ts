import { postgres } from '@va/storage/postgres';
import { percentile, round } from '../support/statistics.ts';
import { DialingProcess } from './dialing-process.ts';
import { finishLeads, tidyUp } from './finish-leads.ts';
import { leadFile } from './lead-file.ts';
import { MemoryWatch } from './memory-watch.ts';
import { PacedClock } from './paced-clock.ts';
import { callSeconds, callsPerMinute, campaigns, finishedShare, retryDelaySeconds, type Settings } from './settings.ts';

const { connectionString, leads, passes } = await new Promise<Settings>((resolve) =>
  process.once('message', (settings: Settings) => resolve(settings)),
);
const clock = new PacedClock();
const storage = postgres({ connectionString, migrations: 'auto', maxConnections: 10 });
await storage.start();
const service = new DialingProcess(storage, clock);
const { operations } = service;
const { id: orgId } = await operations.organizations.ensureDefault();

/** Calling hours that are always open. */
const always = { schedule_start_time: '00:00:00', schedule_end_time: '23:59:59', timezone: openZone() };

/** Returns a time zone in which it is about noon, so that calling hours do not end during the run. */
function openZone(): string {
  const hoursToNoon = 12 - new Date().getUTCHours();
  return hoursToNoon === 0 ? 'UTC' : `Etc/GMT${hoursToNoon > 0 ? '-' : '+'}${Math.abs(hoursToNoon)}`;
}

async function newCampaign(name: string, pace: number | null): Promise<string> {
  const { id } = await operations.campaigns.create(orgId, {
    ...always,
    name,
    agent_id: agentId,
    max_concurrent_calls: 1_000,
    calls_per_minute: pace,
    retry_on: ['busy'],
    retry_delay_seconds: retryDelaySeconds,
    system_message_template: 'You call {{name}} in {{city}} about {{product}}.',
  });
  return id;
}

const { id: agentId } = await operations.agents.create(orgId, { name: 'Sales' });
await operations.numbers.register(orgId, { phone_number: '+31201234567', agent_id: agentId });
await operations.trunks.create(orgId, {
  ...{ name: 'Main', provider: 'acme', address: 'sip.example.com' },
  numbers: ['+31201234567'],
});

const ids: string[] = [];
for (let n = 0; n < campaigns; n += 1) ids.push(await newCampaign(`Campaign ${n}`, callsPerMinute));

interface Imported {
  readonly rowsPerS: number;
  /** CPU time of this process. */
  readonly cpuUsPerRow: number;
  readonly firstMb: number;
  readonly peakMb: number;
}

/** Imports one file per campaign, one after the other. */
async function importAll(): Promise<Imported> {
  const memory = new MemoryWatch();
  const each = leads / campaigns;
  let firstMb = 0;
  let peakMb = 0;
  const before = process.cpuUsage();
  const startMs = performance.now();
  for (const [n, id] of ids.entries()) {
    const fromMs = performance.now();
    const file = leadFile(each, n * each);
    const { created } = await operations.leads.importCsv(orgId, id, file, {}, { maxRows: each });
    if (created !== each) throw new Error(`${created} of ${each} leads were created.`);
    const mb = memory.peakMb();
    if (n === 0) firstMb = mb;
    else peakMb = Math.max(peakMb, mb);
    const rate = (each * 1_000) / (performance.now() - fromMs);
    console.log(`import ${n + 1}: ${round(rate, 0)} rows a second, memory at most ${round(mb, 0)} MB`);
  }
  memory.stop();
  const { user, system } = process.cpuUsage(before);
  return {
    rowsPerS: (leads * 1_000) / (performance.now() - startMs),
    cpuUsPerRow: (user + system) / leads,
    firstMb,
    peakMb,
  };
}

interface Passes {
  /** CPU time of this process. */
  readonly cpuMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Runs passes one virtual second apart. Ends of calls are stored between them and not measured. */
async function measurePasses(what: string): Promise<Passes> {
  const tookMs: number[] = [];
  const warmUp = 2 * callSeconds;
  let dialedBefore = 0;
  let cpuMs = 0;
  for (let n = -warmUp; n < passes; n += 1) {
    clock.pass(1_000);
    await service.endCalls();
    if (n === 0) dialedBefore = service.dialed;
    const before = process.cpuUsage();
    const ms = await service.pass();
    if (n < 0) continue;
    const { user, system } = process.cpuUsage(before);
    cpuMs += (user + system) / 1_000 / passes;
    tookMs.push(ms);
  }
  const dialed = (service.dialed - dialedBefore) / passes;
  const result = { cpuMs, p50Ms: percentile(tookMs, 0.5), p95Ms: percentile(tookMs, 0.95) };
  console.log(
    `${what}: a pass that dials ${round(dialed, 1)} leads of ${campaigns} campaigns: p50 ` +
      `${round(result.p50Ms, 1)} ms, p95 ${round(result.p95Ms, 1)} ms, ${round(cpuMs, 1)} ms of this process`,
  );
  return result;
}

const imported = await importAll();
console.log(
  `${leads} leads: ${round(imported.rowsPerS, 0)} rows a second, ${round(imported.cpuUsPerRow, 1)} µs of this ` +
    'process for each',
);
for (const id of ids) await operations.campaigns.update(orgId, id, { status: 'scheduled' });
await tidyUp(connectionString);
await service.start();
const atFirst = await measurePasses('nobody called yet');
await finishLeads(connectionString, finishedShare);
await tidyUp(connectionString);
const later = await measurePasses(`${finishedShare * leads} finished`);
await service.endCalls(true);
await service.stop();
await storage.close();
process.disconnect();

console.log(
  JSON.stringify({
    import_rows_per_s: Math.round(imported.rowsPerS),
    pass_p95_ms: round(later.p95Ms),
    pass_p50_ms: round(later.p50Ms),
    pass_p95_ms_at_start: round(atFirst.p95Ms),
    pass_p50_ms_at_start: round(atFirst.p50Ms),
    import_rss_growth_mb: round(imported.peakMb - imported.firstMb),
    import_rss_peak_mb: round(imported.peakMb),
  }),
);
