import { createServer } from 'node:http';
import { consoleAssets } from '@va/console';
import { createVoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { postgres } from '@va/storage/postgres';
import { silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { hostSession, type ServiceSettings } from './settings.ts';

/** The service's process: the API and the console for a visitor whom the host has signed in. Reports its address. */
const { connectionString, orgId } = JSON.parse(process.env.BENCH_SETTINGS ?? '{}') as ServiceSettings;
const va = createVoiceAgents({
  storage: postgres({ connectionString }),
  providers: [],
  webhooks: webhooks(),
  logger: silentLogger,
  authenticate: async ({ headers }) =>
    headers.get('cookie')?.includes(`${hostSession.name}=${hostSession.value}`) ? { orgId, subject: 'bench' } : null,
});
await va.start();
const handler = createHandler(va, { console: consoleAssets(), rateLimits: { requestsPerMinute: 0 } });
const server = createServer(toNode(handler)).on('upgrade', handler.upgrade);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` });
});
process.on('disconnect', () => process.exit(0));
