import { createServer } from 'node:http';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { postgres } from '@va/storage/postgres';
import { answeringAtOnce, startBenchService } from '../../support/bench-service.ts';
import { turnsInRound } from '../../support/phones/callers.ts';
import { meterService } from '../../support/phones/service-meter.ts';
import type { ServiceSettings } from '../settings.ts';
import { endpointingMs, interruptionMs, number, type Target } from './settings.ts';

/** The service's process: calls over SIP, with their records in the seeded database. */
const { connectionString } = JSON.parse(process.env.BENCH_SETTINGS ?? '{}') as ServiceSettings;
const round = [...Array.from({ length: turnsInRound - 1 }, () => 'turn'), 'story', 'stop'];
const { va, orgId, target } = await startBenchService({
  ...{ number, endpointingMs, interruptionMs },
  storage: postgres({ connectionString }),
  providers: answeringAtOnce({
    turns: Array.from({ length: 1_000 }, () => round).flat(),
    reply: 'Okay, I have made a note.',
  }),
});
const { secret: apiKey } = await va.operations.apiKeys.issue(orgId, { name: 'bench' });
const server = createServer(toNode(createHandler(va, { rateLimits: { requestsPerMinute: 0 } })));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
const all: Target = { sip: target, url, apiKey };
meterService(va, { endpointingMs, interruptionMs, target: JSON.stringify(all) });
