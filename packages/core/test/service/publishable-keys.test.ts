import { memory } from '@va/storage/memory';
import { ScriptedWebhooks, silentLogger } from '@va/testkit';
import { expect, it } from 'vitest';
import { createVoiceAgents } from '../../src/service/create-voice-agents.ts';

it('publishable keys › are accepted beside the authentication of the host, which does not see them', async () => {
  const seen: (string | null)[] = [];
  const va = createVoiceAgents({
    storage: memory(),
    providers: [],
    webhooks: new ScriptedWebhooks(),
    logger: silentLogger,
    authenticate: async ({ headers }) => {
      seen.push(headers.get('authorization'));
      return null;
    },
  });
  await va.start();
  const { id: orgId } = await va.operations.organizations.ensureDefault();
  const { id: agentId } = await va.operations.agents.create(orgId, { name: 'Anna' });
  const input = { name: 'Site', agents: [agentId], origins: ['https://www.example.com'] };
  const publishableKey = await va.operations.publishableKeys.create(orgId, input);
  const authenticate = (authorization: string) =>
    va.authenticate({
      authorization,
      toRequest: () => new Request('http://localhost', { headers: { authorization } }),
    });
  expect(await authenticate(`Bearer ${publishableKey.key}`)).toMatchObject({ orgId, scopes: [], publishableKey });
  await expect(authenticate('Bearer other')).rejects.toMatchObject({ status: 401 });
  expect(seen).toEqual(['Bearer other']);
  await va.close({ drainMs: 0 });
});
