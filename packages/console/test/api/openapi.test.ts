// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';

type OpenApi = typeof import('../../src/app/api/openapi.ts');

/** Returns a module of its own for each test: the description is kept once it is loaded. */
async function freshModule(name: string): Promise<OpenApi> {
  const source = `../../src/app/api/openapi.ts?${name}`;
  return (await import(source)) as OpenApi;
}

const description = (): Response => Response.json({ components: { schemas: { NewAgent: { type: 'object' } } } });
afterEach(() => void vi.unstubAllGlobals());

describe('the description of the API', () => {
  it('is loaded once', async () => {
    const fetched = vi.fn(async (_url: string) => description());
    vi.stubGlobal('fetch', fetched);
    const { loadSchema } = await freshModule('once');
    expect(await Promise.all([loadSchema('NewAgent'), loadSchema('NewAgent')])).toEqual([
      { type: 'object' },
      { type: 'object' },
    ]);
    expect(fetched.mock.calls).toEqual([['https://example.com/voice/api/v1/openapi.json']]);
  });

  it('is loaded again after a failure', async () => {
    const fetched = vi.fn(async () => description()).mockResolvedValueOnce(new Response('', { status: 502 }));
    vi.stubGlobal('fetch', fetched);
    const { loadSchema } = await freshModule('failure');
    await expect(loadSchema('NewAgent')).rejects.toThrow('The description of the API was refused (502).');
    expect(await loadSchema('NewAgent')).toEqual({ type: 'object' });
  });

  it('has no schema of another name', async () => {
    vi.stubGlobal('fetch', async () => description());
    const { loadSchema } = await freshModule('name');
    await expect(loadSchema('NewRobot')).rejects.toThrow('The description of the API has no NewRobot.');
  });
});
