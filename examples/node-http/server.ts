import { createServer } from 'node:http';
import { createVoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { localSpeech } from '@va/local-speech';
import { pglite } from '@va/storage/pglite';
import { webhooks } from '@va/webhooks';
import { createStatusPage } from './status-page.ts';

const va = createVoiceAgents({
  storage: pglite(), // in memory; `pglite({ dir })` keeps the records
  providers: localSpeech(),
  webhooks: webhooks(),
});
await va.start();
const { id: orgId } = await va.operations.organizations.ensureDefault();
const { secret } = await va.operations.apiKeys.issue(orgId, { name: 'made at the start' });

const handler = createHandler(va, { basePath: '/voice' }); // /voice/api/v1/agents …
const serveApi = toNode(handler);
const servePage = createStatusPage(va);
const server = createServer((request, response) => {
  const [path = '/'] = (request.url ?? '/').split('?');
  if (handler.covers(path)) serveApi(request, response);
  else servePage(request, response);
});
server.listen(Number(process.env.PORT ?? 3000), () => console.log(`API key: ${secret}`));

process.once('SIGTERM', async () => {
  server.close();
  await handler.close(); // ends the streams of events, which would hold the server open
  await va.close({ drainMs: 30_000 });
});
