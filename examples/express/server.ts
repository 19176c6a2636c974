import { createVoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { toExpress } from '@va/http/express';
import { localSpeech } from '@va/local-speech';
import { sip } from '@va/sip';
import { pglite } from '@va/storage/pglite';
import { webhooks } from '@va/webhooks';
import express from 'express';
import { requireAdmin } from './require-admin.ts';

const va = createVoiceAgents({
  storage: pglite({ dir: './va-data' }),
  providers: localSpeech(),
  telephony: [sip({ listen: ['udp://127.0.0.1:5060'], inbound: 'open' })], // default: only trunks may call
  webhooks: webhooks({ allowPrivateTargets: ({ hostname }) => hostname === 'localhost' }), // in development
  publicUrl: 'http://localhost:3000/voice', // in the links of records and reports
});
await va.start();
const { id: orgId } = await va.operations.organizations.ensureDefault();
const app = express().use('/voice', toExpress(createHandler(va))); // /voice/api/v1/agents …
app.post('/admin/keys', requireAdmin, async (_request, response) => {
  response.json(await va.operations.apiKeys.issue(orgId, { name: 'made by an admin' }));
});
app.listen(3000);
process.once('SIGTERM', () => va.close({ drainMs: 30_000 }).finally(() => process.exit()));
