import { createVoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { toFastify } from '@va/http/fastify';
import { localSpeech } from '@va/local-speech';
import { pglite } from '@va/storage/pglite';
import { webhooks } from '@va/webhooks';
import fastify from 'fastify';
import { signedIn, signIn } from './sessions.ts';
import { users } from './users.ts';

const va = createVoiceAgents({
  storage: pglite(), // in memory; `pglite({ dir })` keeps the records
  providers: localSpeech(),
  webhooks: webhooks(),
  // The session that opens the application's own routes opens the API too, for the user's organization.
  authenticate: async (request) => signedIn(request.headers.get('authorization')),
});
await va.start();
for (const { organization } of users) await va.operations.organizations.create(organization);

const handler = createHandler(va);
const app = fastify();
await app.register(toFastify(handler), { prefix: '/voice' }); // /voice/api/v1/agents …

const credentials = { type: 'object', properties: { name: { type: 'string' }, password: { type: 'string' } } };
app.post<{ Body: { name?: string; password?: string } }>(
  '/login',
  { schema: { body: credentials } },
  async ({ body }, reply) => {
    const token = signIn(body.name, body.password);
    return token === null ? reply.code(401).send({ error: 'Wrong name or password.' }) : { token };
  },
);
app.get('/me', async ({ headers }, reply) => {
  const principal = signedIn(headers.authorization);
  return principal === null ? reply.code(401).send({ error: 'Sign in first.' }) : { name: principal.subject };
});
await app.listen({ port: Number(process.env.PORT ?? 3000) });

process.once('SIGTERM', async () => {
  await handler.close(); // ends the streams of events, which would hold the server open
  await app.close();
  await va.close({ drainMs: 30_000 });
});
