import { createServer } from 'node:http';
import { aesVault, createVoiceAgents, type VoiceAgents, type VoiceAgentsOptions } from '@va/core';
import { createHandler, type HandlerOptions } from '@va/http';
import { toNode } from '@va/http/node';
import { memory } from '@va/storage/memory';
import { levelVad, ScriptedTelephony, saying, scriptedLlm, scriptedStt, scriptedTts, silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { exchange, keepAliveAgent, type Reply } from '../api/support/exchange.ts';

export interface Tenant {
  readonly orgId: string;
  readonly key: string;
  /** Sends a request to a path relative to `/api/v1`. */
  send(method: string, path: string, json?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
}

export interface AttackedService {
  readonly va: VoiceAgents;
  readonly origin: string;
  /** Creates an organization with a key for every scope. */
  tenant(name: string): Promise<Tenant>;
  close(): Promise<void>;
}

/** Starts a service behind a real server, with the defaults of a multi-tenant deployment. */
export async function startAttackedService(
  options: Partial<VoiceAgentsOptions> = {},
  handlerOptions: HandlerOptions = {},
): Promise<AttackedService> {
  const va = createVoiceAgents({
    storage: memory(),
    // Other processes of the machine may delay this one.
    limits: { maxEventLoopLagMs: Number.POSITIVE_INFINITY },
    providers: [scriptedStt(), scriptedLlm([saying('All right.')]), scriptedTts()],
    telephony: [new ScriptedTelephony()],
    webhooks: webhooks(),
    vault: aesVault({ key: Buffer.alloc(32, 5) }),
    recordings: {
      create: async () => ({ write() {}, close: async () => {} }),
      open: async () => null,
      delete: async () => false,
    },
    vad: levelVad(),
    logger: silentLogger,
    ...options,
  });
  await va.start();
  const handler = createHandler(va, handlerOptions);
  const server = createServer(toNode(handler));
  // The default is 5 s; a request that is sent just as the server closes its connection would fail.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  const agent = keepAliveAgent();
  return {
    va,
    origin,
    async tenant(name) {
      const { id: orgId } = await va.operations.organizations.create({ name });
      const { secret: key } = await va.operations.apiKeys.issue(orgId, { name: 'test' });
      return {
        orgId,
        key,
        send: (method, path, json, more = {}) => {
          const typed: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
          const headers = { authorization: `Bearer ${key}`, ...typed, ...more };
          const sent = { method, path: `/api/v1${path}`, headers };
          return exchange(origin, json === undefined ? sent : { ...sent, body: JSON.stringify(json) }, agent);
        },
      };
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await handler.close();
      await va.close({ drainMs: 0 });
    },
  };
}
