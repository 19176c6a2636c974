import { z } from 'zod';
import type { OpenRoute } from './route.ts';

const checkSchema = z.object({ status: z.enum(['ok', 'failed']), message: z.string().optional() });

export const healthRoute: OpenRoute = {
  method: 'GET',
  path: '/health',
  scope: null,
  response: z.object({
    status: z.enum(['ok', 'degraded', 'unavailable']),
    version: z.string(),
    timestamp: z.iso.datetime(),
    checks: z.record(z.string(), checkSchema),
  }),
  async handle({ host }) {
    const health = await host.health();
    return { status: health.status === 'unavailable' ? 503 : 200, body: health };
  },
};
