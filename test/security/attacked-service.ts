import { aesVault, createVoiceAgents, type VoiceAgents, type VoiceAgentsOptions } from '@va/core';
import { createHandler, type HandlerOptions } from '@va/http';
import { memory } from '@va/storage/memory';
import { levelVad, ScriptedTelephony, saying, scriptedLlm, scriptedStt, scriptedTts, silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { exchange, type Reply } from '../api/support/exchange.ts';
import { serve } from '../api/support/serve.ts';

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
  const served = await serve(handler);
  const { origin, agent } = served;
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
      await served.close();
      await handler.close();
      await va.close({ drainMs: 0 });
    },
  };
}
