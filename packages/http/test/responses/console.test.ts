import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandler } from '../../src/create-handler.ts';
import type { ConsoleAssets } from '../../src/engine/console/console-assets.ts';
import { createTestHost } from '../support/host.ts';
import { type Mounted, mount, mountings } from '../support/mounts.ts';

const { host } = await createTestHost();
const files: Readonly<Record<string, { type: string; isImmutable: boolean }>> = {
  'index.html': { type: 'text/html; charset=utf-8', isImmutable: false },
  'assets/app-1a2b.js': { type: 'text/javascript; charset=utf-8', isImmutable: true },
};
const assets: ConsoleAssets = {
  async file(path) {
    const file = Object.hasOwn(files, path) ? files[path] : undefined;
    return file === undefined ? null : { ...file, body: Buffer.from(path) };
  },
};

async function get(path: string, init: RequestInit = {}, basePath = '/voice'): Promise<Response> {
  const handler = createHandler(host, { basePath, console: assets });
  return await handler.fetch(new Request(`http://x${path}`, init));
}

describe('the console', () => {
  it('is off by default', async () => {
    const handler = createHandler(host, { basePath: '/voice' });
    expect((await handler.fetch(new Request('http://x/voice/console/'))).status).toBe(404);
    expect(handler.covers('/voice/console/')).toBe(false);
  });

  it.each(['', '/voice', '/deep/er'])('is one page below the base path %j', async (basePath) => {
    const page = await get(`${basePath}/console/`, {}, basePath);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const handler = createHandler(host, { basePath, console: assets });
    const covered = ['/console', '/console/', '/console/assets/app-1a2b.js', '/consoles', '/console2/'];
    expect(covered.map((path) => handler.covers(`${basePath}${path}`))).toEqual([true, true, true, false, false]);
  });

  it('redirects to the URL that its files are relative to', async () => {
    const response = await get('/voice/console');
    expect([response.status, response.headers.get('location')]).toEqual([308, '/voice/console/']);
  });

  it('lets browsers cache files whose names change with their content', async () => {
    const script = await get('/voice/console/assets/app-1a2b.js');
    expect(script.headers.get('cache-control')).toContain('immutable');
    const etag = script.headers.get('etag') ?? '';
    const again = await get('/voice/console/assets/app-1a2b.js', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each(['assets/none.js', '../../package.json', '%2e%2e/package.json', 'constructor', 'index.html/'])(
    'has no file %s',
    async (path) => {
      expect((await get(`/voice/console/${path}`)).status).toBe(404);
    },
  );

  it('refuses methods other than GET and HEAD', async () => {
    const response = await get('/voice/console/', { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await get('/voice/console/', { method: 'HEAD' })).status).toBe(200);
  });
});

/** Mounts that serve all paths of the handler: one host mounts only two of them. */
const whole = mountings.filter(({ name }) => name !== 'hono behind a parser');

describe.each(whole)('the console mounted on $name', (mounting) => {
  let mounted: Mounted;
  beforeAll(async () => {
    mounted = await mount(mounting, (options = {}) => createHandler(host, { ...options, console: assets }));
  });
  afterAll(() => mounted.close());

  it('loads its files relative to its page', async () => {
    const base = mounted.url.slice(0, -'/api/v1'.length);
    const redirected = await fetch(`${base}/console`);
    expect([redirected.status, redirected.url]).toEqual([200, `${base}/console/`]);
    expect(await redirected.text()).toBe('index.html');
    expect(redirected.headers.get('content-security-policy')).toMatch(/script-src 'self';/);
    const script = await fetch(new URL('assets/app-1a2b.js', redirected.url));
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect((await fetch(`${base}/console/none.js`)).status).toBe(404);
  });
});
