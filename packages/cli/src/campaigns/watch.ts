import { parseArgs } from 'node:util';
import { ApiError, type CampaignProgress, type Client, ConnectionError, createClient } from '@va/client';
import type { Clock } from '@va/core/adapter';
import { CampaignPace } from './pace.ts';
import { factsOf, printable, progressLine, summary } from './progress-line.ts';

export interface WatchIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output. On a terminal (`isTTY`) one line is redrawn; otherwise each change is a new line. */
  readonly out: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  /** Writes a line to standard error. */
  readonly err: (line: string) => void;
  readonly clock: Clock;
  /** Stops watching. The campaign is not affected. */
  readonly signal: AbortSignal;
}

/** Exit codes: 0 completed, 1 failed to watch, 2 invalid arguments, 3 cancelled, 130 interrupted. */
export type WatchExit = 0 | 1 | 2 | 3 | 130;

const eraseLine = '\r\u001B[2K';

/** Shows the progress of a campaign until it is over: `va campaigns watch ID`. */
export async function watchCampaign(args: readonly string[], io: WatchIo): Promise<WatchExit> {
  const options = parseOptions(args, io.env);
  if (typeof options === 'string') {
    io.err(options);
    return 2;
  }
  const { id, url, key } = options;
  const client = createClient({ baseUrl: url, apiKey: key });
  try {
    const last = await show(client, id, io);
    return last?.status === 'cancelled' ? 3 : 0;
  } catch (error) {
    if (io.signal.aborted) return 130;
    io.err(inWords(error, { id, url }));
    return 1;
  }
}

async function show(client: Client, id: string, { out, clock, signal }: WatchIo): Promise<CampaignProgress | null> {
  const { name } = await client.campaigns.get(id, { signal });
  out.write(`${printable(name)}\n`);
  const pace = new CampaignPace();
  let last: CampaignProgress | null = null;
  try {
    for await (const progress of client.campaigns.events(id, { signal })) {
      last = progress;
      pace.add(clock.nowMs(), progress);
      const rates = pace.rates(progress);
      if (out.isTTY) out.write(`${eraseLine}${progressLine(progress, rates, out.columns ?? 80)}`);
      else out.write(`${factsOf(progress, rates)}\n`);
    }
  } finally {
    // Moves the shell's prompt below the redrawn line.
    if (out.isTTY && last !== null) out.write('\n');
  }
  if (last !== null) out.write(`${summary(last)}\n`);
  return last;
}

interface WatchArguments {
  readonly id: string;
  readonly url: string;
  readonly key: string;
}

/** Returns the options from the arguments and the environment, or an error message. */
function parseOptions(args: readonly string[], env: WatchIo['env']): WatchArguments | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { url: { type: 'string' }, key: { type: 'string' } },
    });
    const [id, ...more] = positionals;
    if (!id || more.length > 0) return 'Expected one campaign id: va campaigns watch ID';
    const url = values.url ?? (env.VA_URL || 'http://127.0.0.1:8080');
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      return `${url} is not a valid URL: set --url or VA_URL to that of a service, such as https://voice.example.com.`;
    }
    const key = values.key ?? env.VA_API_KEY;
    if (!key) return 'An API key is required: set VA_API_KEY or --key.';
    // Also accepts the URL with `/api/v1`, as `va serve` prints it.
    return { id, url: url.replace(/\/api\/v1\/?$/, ''), key };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function inWords(error: unknown, { id, url }: Pick<WatchArguments, 'id' | 'url'>): string {
  if (error instanceof ApiError) {
    if (error.status === 401) return `${url} rejected the API key: check VA_API_KEY or --key.`;
    if (error.status === 403) return 'The API key lacks the scope campaigns:read.';
    if (error.code === 'campaign_not_found') return `Campaign ${printable(id)} was not found at ${url}.`;
    return `${url} responded ${error.status}: ${printable(error.message)}`;
  }
  if (error instanceof ConnectionError) return `${url}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
