import type { CampaignProgress } from '@va/client';
import { VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchCampaign } from '../../src/campaigns/watch.ts';
import { progress } from '../support/campaign-progress.ts';

afterEach(() => void vi.unstubAllGlobals());

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

interface Watched {
  readonly exit: number;
  readonly output: string;
  readonly errors: readonly string[];
  readonly requests: readonly Request[];
}

/** Answers for the campaign and for its events. */
interface Service {
  readonly campaign?: () => Response;
  readonly events?: () => Response;
}

const named = (name: string) => (): Response => Response.json({ campaign: { id: 'c1', name } });

function eventStream(changes: readonly Partial<CampaignProgress>[]): string {
  return changes.map((change) => `data: ${JSON.stringify({ ...progress, ...change })}\n\n`).join('');
}

const streamed =
  (...changes: readonly Partial<CampaignProgress>[]) =>
  (): Response =>
    new Response(eventStream(changes), { headers: { 'content-type': 'text/event-stream' } });

/** Runs the command against a service without a network. */
async function watch(
  { campaign = named('Spring'), events = streamed({ status: 'completed' }) }: Service = {},
  {
    args = [],
    env = {},
    terminal = {},
    onOutput = () => {},
  }: {
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly terminal?: Terminal;
    readonly onOutput?: (text: string, abort: () => void) => void;
  } = {},
): Promise<Watched> {
  const requests: Request[] = [];
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    requests.push(request);
    return request.url.endsWith('/events') ? events() : campaign();
  });
  const stopping = new AbortController();
  const errors: string[] = [];
  let output = '';
  const out = {
    ...terminal,
    write: (text: string) => {
      output += text;
      onOutput(text, () => stopping.abort());
    },
  };
  const exit = await watchCampaign(['c1', ...args], {
    env: { VA_API_KEY: 'va_live_env', ...env },
    out,
    err: (line) => errors.push(line),
    clock: new VirtualClock(),
    signal: stopping.signal,
  });
  return { exit, output, errors, requests };
}

describe('va campaigns watch', () => {
  it('prints the name, a line for each change and the outcome', async () => {
    const done = { status: 'completed', calling_leads: 0, completed_leads: 54 } as const;
    const { exit, output, errors } = await watch({ events: streamed({}, done) });
    expect(output.split('\n')).toEqual([
      'Spring',
      '20/60 done · 56% answered · 6 calling',
      '60/60 done · 56% answered · 0 calling · completed',
      'The campaign is completed: 54 reached, 5 not reached, 1 skipped; 25 calls, 56% answered, 3.4 s on average.',
      '',
    ]);
    expect([exit, errors]).toEqual([0, []]);
  });

  it('redraws the line of a terminal, and prints the outcome below it at the end', async () => {
    const events = streamed({}, { status: 'completed' });
    const { output } = await watch({ events }, { terminal: { isTTY: true, columns: 60 } });
    const [name, line, outcome, rest] = output.split('\n');
    expect([name, rest]).toEqual(['Spring', '']);
    const drawn = line?.split('\r\u001B[2K') ?? [];
    expect(drawn).toHaveLength(3);
    expect(drawn[1]).toContain('20/60 done');
    expect(drawn.every((each) => each.length < 60)).toBe(true);
    expect(outcome).toContain('The campaign is completed');
  });

  it('exits with 3 for a cancelled campaign, once its last call has ended', async () => {
    const events = streamed(
      { status: 'cancelled', pending_leads: 0, calling_leads: 2 },
      { status: 'cancelled', pending_leads: 0, calling_leads: 0 },
    );
    const { exit, output } = await watch({ events });
    expect(exit).toBe(3);
    expect(output).toContain('2 calling · cancelled\n');
    expect(output).toContain('The campaign is cancelled');
  });

  it('exits with 130 when it is interrupted, without an error', async () => {
    const events = (): Response =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode(eventStream([{}]))) }));
    const onOutput = (text: string, abort: () => void): void => {
      if (text.includes('done')) abort();
    };
    const { exit, output, errors } = await watch({ events }, { terminal: { isTTY: true }, onOutput });
    expect([exit, errors]).toEqual([130, []]);
    expect(output.endsWith('\n')).toBe(true);
    expect(output).not.toContain('The campaign is');
  });

  it('prints no control characters of the name', async () => {
    const { output } = await watch({ campaign: named('Spring\u001B[2J\r\nsale') });
    expect(output.split('\n')[0]).toBe('Spring [2J sale');
  });

  it.each([
    [401, {}, 'http://127.0.0.1:8080 rejected the API key: check VA_API_KEY or --key.'],
    [403, {}, 'The API key lacks the scope campaigns:read.'],
    [404, { code: 'campaign_not_found' }, 'Campaign c1 was not found at http://127.0.0.1:8080.'],
    [404, { code: 'route_not_found', message: 'No\u001B[2J.' }, 'http://127.0.0.1:8080 responded 404: No [2J.'],
    [500, {}, 'http://127.0.0.1:8080 responded 500: The service responded with status 500.'],
  ])('exits with 1 and says why after the status %i with %j', async (status, body, message) => {
    const { exit, output, errors } = await watch({ campaign: () => Response.json(body, { status }) });
    expect([exit, errors, output]).toEqual([1, [message], '']);
  });

  it('exits with 1 for a response that is not JSON', async () => {
    const { exit, errors } = await watch({ campaign: () => new Response('<html>') });
    expect([exit, errors]).toEqual([1, ['http://127.0.0.1:8080: The answer to campaigns/c1 is not JSON.']]);
  });

  it('exits with 1 and says why if the events are refused', async () => {
    const events = (): Response => Response.json({}, { status: 403 });
    const { exit, output, errors } = await watch({ events }, { terminal: { isTTY: true } });
    expect([exit, output, errors]).toEqual([1, 'Spring\n', ['The API key lacks the scope campaigns:read.']]);
  });

  it.each([
    [[], {}, 'http://127.0.0.1:8080/api/v1/campaigns/c1', 'va_live_env'],
    [[], { VA_URL: 'https://a.test/voice' }, 'https://a.test/voice/api/v1/campaigns/c1', 'va_live_env'],
    [['--url', 'https://b.test'], { VA_URL: 'https://a.test' }, 'https://b.test/api/v1/campaigns/c1', 'va_live_env'],
    [['--url', 'https://b.test/api/v1'], {}, 'https://b.test/api/v1/campaigns/c1', 'va_live_env'],
    [['--url', 'https://b.test/voice/api/v1/'], {}, 'https://b.test/voice/api/v1/campaigns/c1', 'va_live_env'],
    [['--key', 'va_live_own'], {}, 'http://127.0.0.1:8080/api/v1/campaigns/c1', 'va_live_own'],
  ])('with the arguments %j and the environment %j requests %s with the key %s', async (args, env, url, key) => {
    const { requests } = await watch({}, { args, env });
    expect(requests.map((request) => request.url)).toEqual([url, `${url}/events`]);
    for (const request of requests) expect(request.headers.get('authorization')).toBe(`Bearer ${key}`);
  });
});
