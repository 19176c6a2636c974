import type { Readiness } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { createHandler } from '../../src/create-handler.ts';
import { createProbeHost } from '../support/probe-host.ts';

async function get(path: string, readiness: Readiness): Promise<Response> {
  const { host } = createProbeHost({ readiness: async () => readiness });
  return await createHandler(host).fetch(new Request(`http://x/api/v1${path}`));
}

describe('the probes', () => {
  it('report a process that accepts calls', async () => {
    const ready = { status: 'ready', reason: null } as const;
    const response = await get('/health/ready', ready);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual(ready);
  });

  it.each(['starting', 'draining', 'full', 'storage'] as const)(
    'tell of a process that takes none as it is %s, and that it lives',
    async (reason) => {
      const unready = { status: 'unavailable', reason } as const;
      const response = await get('/health/ready', unready);
      expect(response.status).toBe(503);
      expect(await response.json()).toEqual(unready);
      expect((await get('/health/live', unready)).status).toBe(200);
    },
  );
});
