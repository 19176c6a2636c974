import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { PublishableKey } from '@va/core';
import { hasHumanSpeech, humanSpeech, toWav, wordsOf } from '@va/test-servers/audio';
import { webCallScript } from '@va/web/server';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MovableClock } from '../api/support/movable-clock.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import { startWebService, type WebTestService } from './web-service.ts';

const installed = hasChromium() && hasHumanSpeech();

/** A server of files at an origin of its own. */
async function startSite(files: ReadonlyMap<string, string>): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const text = files.get(request.url ?? '');
    const type = request.url?.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
}

describe.skipIf(!installed)('a static site in Chromium (Debian: chromium, asterisk-core-sounds-en-wav)', () => {
  const files = new Map<string, string>();
  let service: WebTestService;
  let browser: Browser;
  let site: Awaited<ReturnType<typeof startSite>>;
  let key: PublishableKey;
  let clock: MovableClock;

  beforeEach(async () => {
    clock = new MovableClock();
    service = await startWebService({ first_message: 'Hello {{name}}.' }, {}, undefined, clock);
    site = await startSite(files);
    key = await service.publishableKey([site.origin]);
    files.set('/va-web.js', await webCallScript());
    const microphone = join(service.dir, 'microphone.wav');
    await writeFile(microphone, toWav(await humanSpeech(3_000, 'hello-world', 60_000)));
    browser = await launchChromium({ microphone });
  });
  afterEach(async () => {
    await browser.close();
    site.server.closeAllConnections();
    await new Promise((resolve) => site.server.close(resolve));
    await service.close();
  });

  async function open(text: string, origin = site.origin): Promise<Page> {
    files.set('/', `<!doctype html><script src="/va-web.js"></script>${text}`);
    const page = await browser.newPage();
    await page.goto(`${origin}/`);
    return page;
  }

  function element(): string {
    const api = service.pageUrl.slice(0, -1);
    return `<va-call api="${api}" key="${key.key}" agent="${key.agents[0]}" variables='{"name":"Jan"}'></va-call>
      <script>
        const said = [];
        document.addEventListener('va-transcript', ({ detail }) => detail.final && said.push(detail.text));
      </script>`;
  }

  function start(): string {
    const options = { baseUrl: service.pageUrl, publishableKey: key.key, agentId: key.agents[0] };
    return `VaWeb.createWebCall(${JSON.stringify(options)}).start().then(() => 'started', ({ code }) => code)`;
  }

  it('calls with a publishable key, from another origin than the service', async () => {
    const page = await open(element());
    await page.click('va-call button');
    await vi.waitFor(async () => expect(await page.evaluate('said')).toEqual(['Hello Jan.', wordsOf('hello-world')]));
    await page.click('va-call button');
    expect(await service.ended(1)).toMatchObject({
      direction: 'web',
      end_reason: 'user_hangup',
      publishable_key_id: key.id,
      variables: { name: 'Jan' },
    });
  });

  it('is refused where its origin is not one of the key', async () => {
    const page = await open('', site.origin.replace('127.0.0.1', 'localhost'));
    expect(await page.evaluate(start())).toBe('connection-failed');
    expect(service.calls).toEqual([]);
  });

  it('shows why it is refused beyond a limit', async () => {
    const page = await open(element());
    // The limit is counted by minutes of the clock.
    clock.stop();
    for (let n = 0; n < 3; n += 1) expect(await page.evaluate(start())).toBe('started');
    expect(await page.evaluate(start())).toBe('token-refused');
    await page.click('va-call button');
    const message = page.locator('va-call p');
    await vi.waitFor(async () => expect(await message.textContent()).toMatch(/^More than 3 requests within a minute/));
  });

  it('cannot use its key for other requests to the service', async () => {
    const page = await open('');
    const url = `${service.pageUrl}api/v1/calls`;
    const read = `fetch('${url}', { headers: { authorization: 'Bearer ${key.key}' } })`;
    expect(await page.evaluate(`${read}.then(() => 'read', () => 'refused')`)).toBe('refused');
  });
});
