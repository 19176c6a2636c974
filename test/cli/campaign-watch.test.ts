import { spawn } from 'node:child_process';
import { systemClock } from '@va/core/adapter';
import { sourceProgram } from '@va/test-servers/programs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { watchCampaign } from '../../packages/cli/src/campaigns/watch.ts';
import { type HttpServer, startHttpServer } from '../../packages/cli/src/http-server.ts';
import { CampaignService } from '../../packages/core/test/campaigns/campaign-service.ts';

const allDay = { schedule_start_time: '00:00', schedule_end_time: '23:59:59', max_concurrent_calls: 1 };
const erase = '\r\u001B[2K';
const unknownId = '00000000-0000-7000-8000-0000000000ff';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Running {
  readonly ended: Promise<Ended>;
  /** Output so far. */
  readonly out: () => string;
}

/** `va campaigns watch` as a process of its own. */
async function startWatching(args: readonly string[], env: Record<string, string>): Promise<Running> {
  const main = await sourceProgram(new URL('../../packages/cli/src/main.ts', import.meta.url));
  const command = [main, 'campaigns', 'watch', ...args];
  const child = spawn(process.execPath, command, { env: { PATH: process.env.PATH, ...env } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code: code ?? -1, out, err }));
  });
  return { ended, out: () => out };
}

describe('va campaigns watch', () => {
  let my: CampaignService;
  let http: HttpServer;
  let key: string;
  beforeAll(async () => {
    my = await new CampaignService({ clock: systemClock }).start();
    http = await startHttpServer(my.va, { host: '127.0.0.1', port: 0 });
    key = (await my.va.operations.apiKeys.issue(my.orgId, { name: 'watcher' })).secret;
  });
  afterAll(async () => {
    await http.close();
    await my.close();
  });

  const env = (): Record<string, string> => ({ VA_URL: http.url, VA_API_KEY: key });

  /** Refuses each call of the campaign until the campaign is completed. */
  async function refuseAll(id: string): Promise<void> {
    await vi.waitFor(
      async () => {
        my.live[0]?.refuse('busy');
        expect((await my.get(id)).status).toBe('completed');
      },
      { interval: 400 },
    );
  }

  it('prints each change to a log, and exits when the campaign ends', async () => {
    const id = await my.campaign(3, allDay);
    const watching = await startWatching([id], env());
    await vi.waitFor(() => expect(watching.out()).toContain('0/3 done'));
    await refuseAll(id);
    const { code, out, err } = await watching.ended;
    expect([code, err]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toBe('Spring');
    expect(lines[1]).toMatch(/^0\/3 done · 1 calling$/);
    expect(lines.at(-2)).toMatch(/^3\/3 done · 0% answered · 0 calling · completed$/);
    expect(lines.at(-1)).toBe('The campaign is completed: 0 reached, 3 not reached, 0 skipped; 3 calls, 0% answered.');
    expect(out).not.toContain('\u001B');
  });

  it('exits with 3 when the campaign is cancelled', async () => {
    const id = await my.campaign(2, { ...allDay, schedule_end_time: '00:00:01' });
    await my.va.operations.campaigns.update(my.orgId, id, { status: 'cancelled' });
    const { code, out } = await (await startWatching(['--url', `${http.url}/api/v1`, '--key', key, id], {})).ended;
    expect([code, out.split('\n').at(-2)]).toEqual([
      3,
      'The campaign is cancelled: 0 reached, 0 not reached, 2 skipped; 0 calls.',
    ]);
  });

  it('prints why a campaign cannot be watched', async () => {
    const { code, out, err } = await (await startWatching([unknownId], env())).ended;
    expect([code, out, err]).toEqual([1, '', `Campaign ${unknownId} was not found at ${http.url}.\n`]);
  });

  it.each([
    [
      'an unknown key',
      [unknownId],
      { VA_API_KEY: 'va_live_wrong' },
      1,
      /^http\S+ rejected the API key: check VA_API_KEY or --key\.$/,
    ],
    [
      'an unreachable service',
      [unknownId],
      { VA_URL: 'http://127.0.0.1:1' },
      1,
      /^http:\/\/127\.0\.0\.1:1: The service could not/,
    ],
    ['no campaign id', [], {}, 2, /^Expected one campaign id: va campaigns watch ID$/],
    ['two campaign ids', ['a', 'b'], {}, 2, /^Expected one campaign id/],
    ['no key', [unknownId], { VA_API_KEY: '' }, 2, /^An API key is required/],
    ['an invalid URL', [unknownId], { VA_URL: 'voice' }, 2, /^voice is not a valid URL/],
    ['an unknown option', [unknownId, '--colour'], {}, 2, /--colour/],
  ] as const)('reports %s', async (_, args, changes, code, words) => {
    const err: string[] = [];
    const out = { write: () => expect.fail('expected no output') };
    const { signal } = new AbortController();
    const io = {
      env: { ...env(), ...changes },
      out,
      err: (line: string) => err.push(line),
      clock: systemClock,
      signal,
    };
    expect(await watchCampaign(args, io)).toBe(code);
    expect(err).toEqual([expect.stringMatching(words)]);
  });

  it('redraws one line of a terminal, and can be stopped', async () => {
    const id = await my.campaign(2, allDay);
    const stopping = new AbortController();
    const written: string[] = [];
    const err: string[] = [];
    const out = { isTTY: true, columns: 80, write: (part: string) => written.push(part) };
    const io = { env: env(), out, err: (line: string) => err.push(line), clock: systemClock, signal: stopping.signal };
    const watching = watchCampaign([id], io);
    const lines = (): string[] => written.join('').split(erase);
    await vi.waitFor(() =>
      expect(lines()).toEqual(['Spring\n', expect.stringMatching(/^░+ {3}0% {2}0\/2 done · 1 calling$/)]),
    );
    my.live[0]?.refuse('declined');
    await vi.waitFor(() => expect(lines().at(-1)).toMatch(/^█+░+ {2}50% {2}1\/2 done · 0% answered · 1 calling$/));
    stopping.abort();
    expect(await watching).toBe(130);
    expect([written.join('').endsWith('calling\n'), err]).toEqual([true, []]);
    await refuseAll(id);
  });
});
