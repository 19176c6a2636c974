import { startPostgres } from '@va/test-servers/postgres';
import { launchChromium } from '../../test/web/chromium.ts';
import { keepAwake } from '../support/awake.ts';
import { bundle } from '../support/bundle.ts';
import { disconnect, nextMessage, startNode } from '../support/child-process.ts';
import { round } from '../support/statistics.ts';
import { ApiClient, measureRequests } from './api/api-client.ts';
import { checkSeed } from './api/checks.ts';
import { lists } from './api/lists.ts';
import { searches } from './api/searches.ts';
import { statistics } from './api/statistics.ts';
import { measureFirstView } from './browser/first-view.ts';
import { measureScroll } from './browser/scroll.ts';
import { readOptions } from './options.ts';
import { type Seeded, seedDatabase } from './seed/seed.ts';
import { type Figures, goals, type ServiceSettings } from './settings.ts';
import { measureWatching } from './watch/measure-watching.ts';

/**
 * Measures the console and the requests behind it with a million stored calls: the built packages on PostgreSQL, over
 * HTTP, in Debian's Chromium; and what a watcher of live calls costs the service. PostgreSQL has its default settings.
 *
 * Options: `--calls 20000`, `--parts api,browser,watch`, `--watched 50`, `--pairs 2`.
 */
const options = readOptions(process.argv.slice(2));

async function measurePages(settings: ServiceSettings, seeded: Seeded): Promise<Figures> {
  const script = await bundle(new URL('./service.ts', import.meta.url), 'console-service');
  const service = startNode([script], { processor: 0, env: { BENCH_SETTINGS: JSON.stringify(settings) } });
  try {
    const { url } = await nextMessage<{ url: string }>(service);
    const client = new ApiClient(url);
    await checkSeed(client, seeded);
    const api = options.parts.has('api') ? await measureApi(client, seeded) : {};
    const pages = options.parts.has('browser') ? await measureBrowser(url) : {};
    return { ...api, ...pages };
  } finally {
    await disconnect(service);
  }
}

async function measureApi(client: ApiClient, seeded: Seeded): Promise<Figures> {
  return {
    list_p95_ms: await measureRequests(client, 'list of calls, 50 each', lists(seeded)),
    search_p95_ms: await measureRequests(client, 'search in transcripts, 50 calls each', searches(seeded)),
    stats_p95_ms: await measureRequests(client, 'statistics of 30 days', statistics(seeded)),
  };
}

async function measureBrowser(url: string): Promise<Figures> {
  const browser = await launchChromium({ microphone: null, isWhole: true });
  try {
    const { ms, bundleKb } = await measureFirstView(browser, url);
    return { first_view_ms: ms, bundle_kb: bundleKb, scroll_max_pause_ms: await measureScroll(browser, url) };
  } finally {
    await browser.close();
  }
}

function show(figures: Figures): void {
  console.log(`\n${'figure'.padEnd(22)}  measured      goal`);
  for (const [name, goal] of Object.entries(goals)) {
    const value = figures[name as keyof Figures];
    if (value === undefined) continue;
    const verdict = goal === null ? '' : String(goal).padStart(10) + (value <= goal ? '' : '  missed');
    console.log(`${name.padEnd(22)}${String(round(value)).padStart(10)}${verdict}`);
  }
  const rounded = Object.keys(goals).map((name) => [name, round(figures[name as keyof Figures] ?? Number.NaN)]);
  console.log(JSON.stringify(Object.fromEntries(rounded)));
}

console.log(`processors: ${await keepAwake()}`);
const server = await startPostgres();
try {
  const { connectionString } = server;
  const startedAt = performance.now();
  const seeded = await seedDatabase(connectionString, options.calls);
  console.log(`${options.calls} calls seeded in ${round((performance.now() - startedAt) / 1_000, 0)} s`);
  const settings: ServiceSettings = { connectionString, orgId: seeded.orgId };
  const figures = await measurePages(settings, seeded);
  const watching = { calls: options.watched, pairs: options.pairs };
  const watch = options.parts.has('watch') ? { watch_core_pct: await measureWatching(settings, watching) } : {};
  show({ ...figures, ...watch });
} finally {
  await server.stop();
}
process.exit(0);
