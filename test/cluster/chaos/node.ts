import { createServer } from 'node:http';
import { createVoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { sip } from '@va/sip';
import { postgres } from '@va/storage/postgres';
import { levelVad, saying, scriptedLlm, scriptedStt, scriptedTts, silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { type Failpoint, withFailpoints } from './failpoints.ts';

/** Settings of a node that serves until it is killed, externally or at its failpoint. */
export interface NodeSettings {
  readonly connectionString: string;
  readonly sipPort: number;
  readonly httpPort: number;
  readonly leaseMs: number;
  readonly diesAt: Failpoint | null;
}

const settings: NodeSettings = JSON.parse(process.argv[2] ?? '');
const boundaries = new Set<string>();
let isServing = false;

const va = createVoiceAgents({
  // Other processes of the machine may delay this one.
  limits: { maxEventLoopLagMs: Number.POSITIVE_INFINITY },
  storage: withFailpoints(
    postgres({ connectionString: settings.connectionString, migrations: 'off', maxConnections: 6 }),
    {
      seen(boundary) {
        if (!isServing || boundary === '' || boundaries.has(boundary)) return;
        boundaries.add(boundary);
        process.send?.({ boundary });
      },
      diesAt: () => (isServing ? settings.diesAt : null),
    },
  ),
  providers: [scriptedStt(), scriptedLlm([saying('All right.')]), scriptedTts({ code: 0x2a, msPerLetter: 20 })],
  telephony: [
    sip({
      inbound: 'open',
      sourceGuard: { trusted: ['127.0.0.1'] },
      listen: [`udp://127.0.0.1:${settings.sipPort}`],
      mediaWorkers: 0,
    }),
  ],
  webhooks: webhooks({ allowPrivateTargets: true }),
  recordings: {
    create: async () => ({ write() {}, close: async () => {} }),
    open: async () => null,
    delete: async () => false,
  },
  cluster: { leaseMs: settings.leaseMs },
  mediaTimeout: { initialMs: 4_000, generalMs: 4_000 },
  vad: levelVad(),
  logger: silentLogger,
});
await va.start();
const server = createServer(toNode(createHandler(va)));
await new Promise<void>((resolve) => server.listen(settings.httpPort, '127.0.0.1', resolve));
isServing = true;
process.send?.({ ready: true });
