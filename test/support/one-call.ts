import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVoiceAgents, folderRecordings } from '@va/core';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { localSpeech, synthesize } from '@va/local-speech';
import { sip } from '@va/sip';
import { pglite } from '@va/storage/pglite';
import { silentLogger } from '@va/testkit';
import { createSipCaller } from '@va/testkit/sip-caller';
import { webhooks } from '@va/webhooks';
import { preparePgliteFolder } from '../../packages/storage/test/support/prepared-pglite.ts';
import { openHandles } from './open-handles.ts';

/**
 * Runs as its own process: serves a call over UDP and one over TCP, closes everything, and prints the handles that are
 * left.
 */
const number = '+31201234567';
const dir = await mkdtemp(join(tmpdir(), 'va-one-call-'));
await preparePgliteFolder(join(dir, 'db'));
const telephony = sip({ listen: ['udp://127.0.0.1:0', 'tcp://127.0.0.1:0'], inbound: 'open' });
const va = createVoiceAgents({
  // Other processes of the machine may delay this one.
  limits: { maxEventLoopLagMs: Number.POSITIVE_INFINITY },
  storage: pglite({ dir: join(dir, 'db') }),
  providers: localSpeech(),
  telephony: [telephony],
  webhooks: webhooks({ allowPrivateTargets: true }),
  recordings: folderRecordings({ dir }),
  logger: silentLogger,
});
await va.start();
const handler = createHandler(va);
const server = createServer(toNode(handler));
const customer = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
});
server.listen(0, '127.0.0.1');
customer.listen(0, '127.0.0.1');
await Promise.all([once(server, 'listening'), once(customer, 'listening')]);
const portOf = (listening: typeof server): number => (listening.address() as AddressInfo).port;

const { id: orgId } = await va.operations.organizations.ensureDefault();
const key = await va.operations.apiKeys.issue(orgId, { name: 'test' });
const agent = await va.operations.agents.create(orgId, {
  name: 'one call',
  first_message: 'Good evening.',
  webhook_url: `http://127.0.0.1:${portOf(customer)}/`,
  stt_config: { provider: 'pocketsphinx', phrases: ['hello', 'goodbye'] },
  llm_config: {
    provider: 'scripted',
    rules: [{ when: '.', say: 'Goodbye.', endCall: true }],
    tools: [{ type: 'endCall' }],
  },
  tts_config: { provider: 'flite' },
});
await va.operations.numbers.register(orgId, { phone_number: number, agent_id: agent.id });

let endedCalls = 0;
const allEnded = new Promise<void>((resolve) => {
  va.events.on('call.ended', () => {
    endedCalls += 1;
    if (endedCalls === telephony.addresses.length) resolve();
  });
});
const speech = await synthesize('goodbye', { voice: 'rms' });
const ends = telephony.addresses.map(async ({ transport, port }) => {
  const call = await createSipCaller().dial(`sip:${number}@127.0.0.1:${port}`, { transport });
  await call.waitForSpeech();
  await call.waitForSilence({ ms: 500 });
  await call.say(speech);
  const { by } = await call.ended;
  return `${transport} by ${by}`;
});
const endedBy = await Promise.all(ends);
await allEnded;
const response = await fetch(`http://127.0.0.1:${portOf(server)}/api/v1/calls`, {
  headers: { authorization: `Bearer ${key.secret}` },
});
const { calls } = (await response.json()) as { calls: { end_reason: string }[] };

await va.close();
await handler.close();
for (const each of [server, customer]) {
  each.closeAllConnections();
  each.close();
}
await rm(dir, { recursive: true });
// Handles just closed disappear within a few turns of the event loop.
const left = await openHandles(500);
console.log(JSON.stringify({ endedBy, endReasons: calls.map(({ end_reason }) => end_reason), left }));
