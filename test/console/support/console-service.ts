import { createServer } from 'node:http';
import { consoleAssets } from '@va/console';
import {
  aesVault,
  type ByokProvider,
  type Call,
  type CallEventContent,
  createVoiceAgents,
  defaultOrganizationId,
  type VoiceAgents,
  type VoiceAgentsOptions,
} from '@va/core';
import { type Storage, systemClock, uuidv7 } from '@va/core/adapter';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { memory } from '@va/storage/memory';
import { sampleCall, scriptedLlm, silentLogger } from '@va/testkit';
import { webCalls } from '@va/web/server';
import { webhooks } from '@va/webhooks';
import { spokenAgent } from '../../support/spoken-agent.ts';
import { StoredWavs } from './stored-wavs.ts';

/** A provider that accepts keys of organizations. */
const exampleProvider: ByokProvider = {
  id: 'example',
  name: 'Example Speech',
  category: 'tts',
  docsUrl: 'https://example.com/docs',
  models: [],
  voices: [],
};

/** A whole service in memory that serves its console. */
export interface ConsoleService {
  readonly va: VoiceAgents;
  readonly storage: Storage;
  /** Recordings of past calls. */
  readonly recordings: StoredWavs;
  readonly orgId: string;
  /** Id of a language model that needs no settings. */
  readonly plainModel: string;
  /** Address of the console. */
  readonly url: string;
  /** Returns a new API key; by default for everything. */
  key(scopes?: readonly string[], orgId?: string): Promise<string>;
  /** Creates another organization, and returns its id. */
  otherOrganization(): Promise<string>;
  /** Stores a past call. */
  addCall(changes?: Partial<Call>): Promise<Call>;
  /** Breaks the connections of all clients. */
  breakConnections(): void;
  /** Stores events of a call, with their times in seconds from its `created_at`. */
  addEvents(call: Call, events: readonly (CallEventContent & { readonly atSeconds: number })[]): Promise<void>;
  close(): Promise<void>;
}

export interface ConsoleServiceOptions {
  /** True if browsers can call; by default the deployment takes no web calls. */
  readonly hasWebCalls?: boolean;
  /** Options of the service, which take precedence over the others. */
  readonly service?: Partial<VoiceAgentsOptions>;
}

export async function startConsoleService({
  hasWebCalls = false,
  service = {},
}: ConsoleServiceOptions = {}): Promise<ConsoleService> {
  const plainModel = scriptedLlm([], { id: 'plain' });
  const providers = [...spokenAgent().providers, plainModel];
  const storage = memory();
  const recordings = new StoredWavs();
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/voice`;
  const va = createVoiceAgents({
    // Other processes of the machine may delay this one.
    limits: { maxEventLoopLagMs: Number.POSITIVE_INFINITY },
    ...{ storage, providers, recordings, logger: silentLogger, vault: aesVault({ key: Buffer.alloc(32, 7) }) },
    ...(hasWebCalls ? { telephony: [webCalls()], publicUrl: base } : { telephony: [] }),
    catalog: [exampleProvider],
    operators: [defaultOrganizationId],
    webhooks: webhooks({ allowPrivateTargets: true }),
    ...service,
  });
  await va.start();
  const { id: orgId } = await va.operations.organizations.ensureDefault();
  // Tests ask more of the API in a minute than a person does.
  const handler = createHandler(va, {
    basePath: '/voice',
    console: consoleAssets(),
    rateLimits: { requestsPerMinute: 0 },
  });
  http.on('request', toNode(handler)).on('upgrade', handler.upgrade);
  // The first request builds the page, which takes longer than a test should.
  await (await fetch(`${base}/console/`)).arrayBuffer();
  return {
    va,
    storage,
    recordings,
    orgId,
    plainModel: plainModel.id,
    url: `${base}/console/`,
    async key(scopes = ['*'], owner = orgId) {
      return (await va.operations.apiKeys.issue(owner, { name: 'console', scopes: [...scopes] })).secret;
    },
    otherOrganization: async () => (await va.operations.organizations.create({ name: 'Other' })).id,
    async addCall(changes = {}) {
      const call = sampleCall({ status: 'ended', end_reason: 'user_hangup', ...changes });
      await storage.calls.insert(orgId, { ...call, node_id: null, webhook_sequence: 0 });
      return call;
    },
    breakConnections: () => http.closeAllConnections(),
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
