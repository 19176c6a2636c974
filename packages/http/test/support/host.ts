import type { Call } from '@va/core';
import {
  createIdempotencyStore,
  createOperations,
  type HandlerHost,
  type RecordingStore,
  type Storage,
  systemClock,
  systemRandom,
  timestamp,
  uuidv7,
} from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { ScriptedWebhooks, sampleCall, silentLogger } from '@va/testkit';

export interface TestHost {
  readonly host: HandlerHost;
  readonly storage: Storage;
  readonly orgId: string;
  /** A key for everything in the organization. */
  readonly key: string;
  /** A key of another organization. */
  readonly foreignKey: string;
  readonly logged: Record<string, unknown>[];
  issueKey(scopes: readonly string[]): Promise<string>;
  addCall(changes?: Partial<Call>): Promise<Call>;
}

export const recordedBytes: Uint8Array = Uint8Array.from({ length: 1_000 }, (_, n) => n % 251);

/** A service without telephony, on records in memory. Calls named `recorded` have a recording. */
export async function createTestHost(): Promise<TestHost> {
  const storage = memory();
  const logged: Record<string, unknown>[] = [];
  const recorded = new Set<string>();
  const operations = createOperations({
    storage,
    recordings: recordingsOf(recorded),
    webhooks: new ScriptedWebhooks(),
    clock: systemClock,
    random: systemRandom,
  });
  const organization = await operations.organizations.ensureDefault();
  const orgId = organization.id;
  const issue = async (owner: string, scopes: readonly string[]): Promise<string> =>
    (await operations.apiKeys.issue(owner, { name: 'test', scopes: [...scopes] })).secret;

  const host: HandlerHost = {
    operations,
    clock: systemClock,
    logger: { ...silentLogger, error: (fields) => logged.push(fields) },
    idempotency: createIdempotencyStore({ storage, clock: systemClock, random: systemRandom }),
    authenticate: ({ authorization }) => operations.apiKeys.authenticate(authorization),
    deployment: async () => ({ nodes: [], queues: [] }),
    readiness: async () => ({ status: 'ready', reason: null }),
    health: async () => ({
      status: 'ok',
      version: '1.2.3',
      timestamp: timestamp(systemClock),
      checks: { storage: { status: 'ok' } },
    }),
  };
  return {
    host,
    storage,
    orgId,
    key: await issue(orgId, ['*']),
    foreignKey: await issue(uuidv7(systemClock), ['*']),
    logged,
    issueKey: (scopes) => issue(orgId, scopes),
    async addCall(changes = {}) {
      const now = timestamp(systemClock);
      const call = sampleCall({
        ...{ status: 'ended', answered_at: now, ended_at: now, duration_seconds: 30, end_reason: 'user_hangup' },
        messages: [{ role: 'user', content: 'Hello' }],
        ...changes,
      });
      await storage.calls.insert(orgId, call);
      if (call.room_name === 'recorded') recorded.add(call.id);
      // Without the fields that the API does not show.
      const { node_id: _, webhook_sequence: __, reserved_seconds: ___, ...shown } = call;
      return shown;
    },
  };
}

function recordingsOf(recorded: ReadonlySet<string>): RecordingStore {
  return {
    create: () => Promise.reject(new Error('Recording is disabled.')),
    delete: async () => false,
    open: async (_orgId, callId) =>
      recorded.has(callId)
        ? {
            contentType: 'audio/wav',
            byteLength: recordedBytes.length,
            read: (range) => streamOf(range ? recordedBytes.slice(range.start, range.end + 1) : recordedBytes),
          }
        : null,
  };
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let n = 0; n < bytes.length; n += 300) controller.enqueue(bytes.slice(n, n + 300));
      controller.close();
    },
  });
}
