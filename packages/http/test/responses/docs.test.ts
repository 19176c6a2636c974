import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createHandler } from '../../src/create-handler.ts';
import type { HandlerOptions } from '../../src/engine/handler.ts';
import { createTestHost } from '../support/host.ts';

const dir = await mkdtemp(join(tmpdir(), 'va-docs-'));
const bundle = join(dir, 'standalone.js');
const { host } = await createTestHost();

afterAll(() => rm(dir, { recursive: true }));

async function get(docs: HandlerOptions['docs'], path: string, headers = {}): Promise<Response> {
  const handler = createHandler(host, docs === undefined ? {} : { docs });
  return await handler.fetch(new Request(`http://x/api/v1${path}`, { headers }));
}

describe('the API reference page', () => {
  it('is off by default', async () => {
    for (const path of ['/docs', '/docs/scalar.js']) expect((await get(undefined, path)).status).toBe(404);
    expect((await get(false, '/docs')).status).toBe(404);
  });

  it('names the missing package', async () => {
    for (const path of ['/docs', '/docs/scalar.js']) {
      const response = await get({ bundle: join(dir, 'nothing.js') }, path);
      expect(response.status).toBe(501);
      expect(await response.json()).toMatchObject({
        code: 'not_installed',
        message: expect.stringContaining('npm install @scalar/api-reference'),
      });
    }
  });

  it('loads the description and the script by relative URLs, and nothing from other origins', async () => {
    await writeFile(bundle, 'console.log("é")');
    const page = await get({ bundle }, '/docs');
    const html = await page.text();
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('data-url="openapi.json"');
    expect(html).toContain('src="docs/scalar.js"');
    expect(html).not.toMatch(/https?:/);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*connect-src 'self'/);
    const script = await get({ bundle }, '/docs/scalar.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await script.text()).toBe('console.log("é")');
    const etag = script.headers.get('etag') ?? '';
    expect((await get({ bundle }, '/docs/scalar.js', { 'if-none-match': etag })).status).toBe(304);
  });
});
