import { createVoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { toExpress } from '@va/http/express';
import { sip } from '@va/sip';
import { pglite } from '@va/storage/pglite';
import { webhooks } from '@va/webhooks';
import express from 'express';
import { agent } from './agent.ts';
import { selfHosted } from './models.ts';

const { TRANSCRIPTION_URL, CHAT_URL, SPEECH_URL, DATA_DIR = './va-data' } = process.env;
const va = createVoiceAgents({
  storage: pglite({ dir: DATA_DIR }),
  providers: selfHosted({
    transcription: TRANSCRIPTION_URL ?? 'http://127.0.0.1:8000/v1',
    chat: CHAT_URL ?? 'http://127.0.0.1:8001/v1',
    speech: SPEECH_URL ?? 'http://127.0.0.1:8880/v1',
  }),
  telephony: [sip({ listen: ['udp://0.0.0.0:5060'], inbound: 'trunks' })],
  webhooks: webhooks(),
});
await va.start();
const { id: orgId } = await va.operations.organizations.ensureDefault();
const phone_number = '+31201234567';
const known = await va.operations.numbers.list(orgId);
if (!known.some((number) => number.phone_number === phone_number)) {
  const { id } = await va.operations.agents.create(orgId, agent);
  await va.operations.numbers.register(orgId, { phone_number, agent_id: id });
}
express()
  .use('/voice', toExpress(createHandler(va)))
  .listen(3000);
process.once('SIGTERM', () => va.close({ drainMs: 30_000 }).finally(() => process.exit()));
