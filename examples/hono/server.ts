import { serve } from '@hono/node-server';
import { createVoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { toHono } from '@va/http/hono';
import { localSpeech } from '@va/local-speech';
import { pglite } from '@va/storage/pglite';
import { webhooks } from '@va/webhooks';
import { Hono } from 'hono';
import { type JwtVariables, jwt } from 'hono/jwt';
import { alg, principalFrom, secret, tokenFor } from './tokens.ts';
import { findUser, users } from './users.ts';

const va = createVoiceAgents({
  storage: pglite(), // in memory; `pglite({ dir })` keeps the records
  providers: localSpeech(),
  webhooks: webhooks(),
  // The token that opens the application's own routes opens the API too, for the user's organization.
  authenticate: principalFrom,
});
await va.start();
for (const { organization } of users) await va.operations.organizations.create(organization);

const handler = createHandler(va);
const app = new Hono<{ Variables: JwtVariables<{ sub: string }> }>();
app.use('/voice/*', toHono(handler)); // /voice/api/v1/agents …
app.post('/login', async (context) => {
  const { name, password } = await context.req.json<{ name?: unknown; password?: unknown }>();
  const user = findUser(name, password);
  if (user === null) return context.json({ error: 'Wrong name or password.' }, 401);
  return context.json({ token: await tokenFor(user.name) });
});
app.get('/me', jwt({ secret, alg }), (context) => context.json({ name: context.get('jwtPayload').sub }));
const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), overrideGlobalObjects: false });

process.once('SIGTERM', async () => {
  server.close();
  await handler.close(); // ends the streams of events, which would hold the server open
  await va.close({ drainMs: 30_000 });
});
