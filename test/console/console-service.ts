import { createServer } from 'node:http';
import { consoleAssets } from '@va/console';
import { type Call, type CallEventContent, createVoiceAgents, type VoiceAgents } from '@va/core';
import { type Storage, systemClock, uuidv7 } from '@va/core/adapter';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { pglite } from '@va/storage/pglite';
import { sampleCall, silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { spokenAgent } from '../support/spoken-agent.ts';
import { StoredWavs } from './stored-wavs.ts';

/** A whole service on PGlite that serves its console. */
export interface ConsoleService {
  readonly va: VoiceAgents;
  readonly storage: Storage;
  /** Recordings of past calls. */
  readonly recordings: StoredWavs;
  readonly orgId: string;
  /** Address of the console. */
  readonly url: string;
  /** Returns a new API key; by default for everything. */
  key(scopes?: readonly string[], orgId?: string): Promise<string>;
  /** Stores a past call. */
  addCall(changes?: Partial<Call>): Promise<Call>;
  /** Stores events of a call, with their times in seconds from its `created_at`. */
  addEvents(call: Call, events: readonly (CallEventContent & { readonly atSeconds: number })[]): Promise<void>;
  close(): Promise<void>;
}

export async function startConsoleService(): Promise<ConsoleService> {
  const { providers } = spokenAgent();
  const storage = pglite();
  const recordings = new StoredWavs();
  const va = createVoiceAgents({
    ...{ storage, providers, recordings, telephony: [], logger: silentLogger },
    webhooks: webhooks({ allowPrivateTargets: true }),
  });
  await va.start();
  const { id: orgId } = await va.operations.organizations.ensureDefault();
  // Tests ask more of the API in a minute than a person does.
  const handler = createHandler(va, {
    basePath: '/voice',
    console: consoleAssets(),
    rateLimits: { requestsPerMinute: 0 },
  });
  const http = createServer(toNode(handler)).on('upgrade', handler.upgrade);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  return {
    va,
    storage,
    recordings,
    orgId,
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/voice/console/`,
    async key(scopes = ['*'], owner = orgId) {
      return (await va.operations.apiKeys.issue(owner, { name: 'console', scopes: [...scopes] })).secret;
    },
    async addCall(changes = {}) {
      const call = sampleCall({ status: 'ended', end_reason: 'user_hangup', ...changes });
      await storage.calls.insert(orgId, { ...call, node_id: null, webhook_sequence: 0 });
      return call;
    },
    async addEvents(call, events) {
      for (const [at, { atSeconds, ...content }] of events.entries()) {
        const created_at = new Date(Date.parse(call.created_at) + atSeconds * 1_000).toISOString();
        const fields = { id: uuidv7(systemClock), call_id: call.id, seq: at + 1, created_at };
        await storage.callEvents.insert(orgId, { ...fields, ...content });
      }
    },
    async close() {
      await va.close({ drainMs: 0 });
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
