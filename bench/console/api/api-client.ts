import { percentile } from '../../support/statistics.ts';
import { hostSession } from '../settings.ts';

/** A visitor's requests to the API, one after the other. */
export class ApiClient {
  readonly #base: string;

  constructor(url: string) {
    this.#base = `${url}/api/v1`;
  }

  /** @throws Error for another status than 200 */
  async get(path: string): Promise<unknown> {
    const response = await fetch(`${this.#base}${path}`, {
      headers: { cookie: `${hostSession.name}=${hostSession.value}` },
    });
    const body: unknown = await response.json();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`);
    return body;
  }

  async timeMs(path: string): Promise<number> {
    const startedAt = performance.now();
    await this.get(path);
    return performance.now() - startedAt;
  }
}

/** Requests of one kind, by the name of the kind. */
export type Requests = Readonly<Record<string, readonly string[]>>;

/**
 * Runs requests of several kinds in turns, and prints the latencies of each kind. Returns the 95th percentile of all.
 *
 * @param title heading of the table
 */
export async function measureRequests(client: ApiClient, title: string, requests: Requests): Promise<number> {
  const kinds = Object.entries(requests);
  const tookMs = new Map<string, number[]>(kinds.map(([kind]) => [kind, []]));
  for (const [, [first]] of kinds) if (first !== undefined) await client.get(first);
  const most = Math.max(...kinds.map(([, paths]) => paths.length));
  for (let at = 0; at < most; at += 1) {
    for (const [kind, paths] of kinds) {
      const path = paths[at];
      if (path !== undefined) tookMs.get(kind)?.push(await client.timeMs(path));
    }
  }
  console.log(`\n${title.padEnd(44)}      p50       p95       max`);
  for (const [kind, each] of tookMs) show(kind, each);
  const all = [...tookMs.values()].flat();
  show('all', all);
  return percentile(all, 0.95);
}

function show(kind: string, tookMs: readonly number[]): void {
  const columns = [0.5, 0.95, 1].map((share) => `${percentile(tookMs, share).toFixed(1)} ms`.padStart(10));
  console.log(`  ${`${kind} (${tookMs.length})`.padEnd(42)}${columns.join('')}`);
}
