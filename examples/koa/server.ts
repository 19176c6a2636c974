import { createVoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { toKoa } from '@va/http/koa';
import { localSpeech } from '@va/local-speech';
import { pglite } from '@va/storage/pglite';
import { webhooks } from '@va/webhooks';
import Koa from 'koa';
import { basicAuth } from './basic-auth.ts';

const password = process.env.ADMIN_PASSWORD;
if (password === undefined || password === '') throw new Error('Set ADMIN_PASSWORD to what opens /customers.');

const va = createVoiceAgents({
  storage: pglite(), // in memory; `pglite({ dir })` keeps the records
  providers: localSpeech(),
  webhooks: webhooks(),
});
await va.start();

const handler = createHandler(va);
const app = new Koa();
app.use(toKoa(handler, { prefix: '/voice' })); // /voice/api/v1/agents …, for holders of a key
app.use(basicAuth('admin', password)); // for all that comes after it
app.use(async (context, next) => {
  if (context.method !== 'POST' || context.path !== '/customers') return await next();
  const { id, name } = await va.operations.organizations.create({ name: String(context.query.name ?? '') });
  const { secret } = await va.operations.apiKeys.issue(id, { name: 'first' });
  context.status = 201;
  context.body = { id, name, secret };
});
const server = app.listen(Number(process.env.PORT ?? 3000));

process.once('SIGTERM', async () => {
  server.close();
  await handler.close(); // ends the streams of events, which would hold the server open
  await va.close({ drainMs: 30_000 });
});
