import { createServer } from 'node:http';
import { createVoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { localSpeech } from '@va/local-speech';
import { sip } from '@va/sip';
import { postgres } from '@va/storage/postgres';
import { webhooks } from '@va/webhooks';

// One node: the same program everywhere, with ports and a name of its own.
const { NODE_NAME = 'node', DATABASE_URL = '', SIP_PORT, HTTP_PORT } = process.env;

const va = createVoiceAgents({
  storage: postgres({ connectionString: DATABASE_URL }), // `migrations: 'check'`: start.ts has brought it up to date
  providers: localSpeech(),
  telephony: [
    // Kamailio decides who may call (providers.list). Nothing else may reach this port: bind an internal address.
    sip({ listen: [`udp://127.0.0.1:${SIP_PORT}`], inbound: 'open', sourceGuard: false }),
  ],
  webhooks: webhooks(),
  limits: { maxConcurrentCalls: 200 }, // of this node
  cluster: { nodeName: NODE_NAME, maxConcurrentCalls: 300 }, // of all of them
});
va.events.on('call.answered', ({ call }) => console.log(`${NODE_NAME} answered ${call.id}`));
va.events.on('call.ended', ({ call }) => console.log(`${NODE_NAME} ended ${call.id} (${call.end_reason})`));
await va.start();

const handler = createHandler(va);
const server = createServer(toNode(handler));
server.listen(Number(HTTP_PORT), '127.0.0.1', () => console.log(`${NODE_NAME} is ready`));

// For a rolling restart: accepts no new calls, lets the live ones end as usual, and then ends the process.
process.once('SIGTERM', async () => {
  console.log(`${NODE_NAME} is draining`);
  await va.close({ drainMs: 600_000 });
  await handler.close();
  server.close();
  console.log(`${NODE_NAME} is gone`);
});
