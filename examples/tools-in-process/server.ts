import { createVoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { toExpress } from '@va/http/express';
import { deepgram } from '@va/providers/deepgram';
import { elevenlabs } from '@va/providers/elevenlabs';
import { openai } from '@va/providers/openai';
import { sip } from '@va/sip';
import { pglite } from '@va/storage/pglite';
import { webhooks } from '@va/webhooks';
import express from 'express';
import { agent } from './agent.ts';
import { bookTable } from './book-table.ts';
import { Reservations } from './reservations.ts';

const reservations = await Reservations.open('./app-data');
const va = createVoiceAgents({
  storage: pglite({ dir: './va-data' }),
  providers: [deepgram(), openai(), elevenlabs()],
  telephony: [sip({ listen: ['udp://127.0.0.1:5060'], inbound: 'open' })],
  webhooks: webhooks(),
  tools: [bookTable(reservations)],
});
await va.start();
const { id: orgId } = await va.operations.organizations.ensureDefault();
const phone_number = '+31201234567';
const known = await va.operations.numbers.list(orgId);
if (!known.some((number) => number.phone_number === phone_number)) {
  const { id } = await va.operations.agents.create(orgId, agent);
  await va.operations.numbers.register(orgId, { phone_number, agent_id: id });
}
const app = express().use('/voice', toExpress(createHandler(va)));
app.get('/reservations', async (_request, response) => {
  response.json(await reservations.all());
});
app.listen(3000);
process.once('SIGTERM', () => va.close({ drainMs: 30_000 }).finally(() => process.exit()));
