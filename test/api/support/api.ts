import type { Server } from 'node:http';
import {
  aesVault,
  createVoiceAgents,
  defaultOrganizationId,
  systemDns,
  type VoiceAgents,
  type VoiceAgentsOptions,
} from '@va/core';
import { type Logger, type Storage, systemRandom } from '@va/core/adapter';
import { createHandler, type Handler, type HandlerOptions } from '@va/http';
import { resend } from '@va/mail/resend';
import { vendorCatalog } from '@va/providers/catalog';
import { DnsServer, ResendServer } from '@va/test-servers/mail-servers';
import {
  levelVad,
  ScriptedTelephony,
  saying,
  scriptedLlm,
  scriptedRealtime,
  scriptedStt,
  scriptedTts,
  silentLogger,
} from '@va/testkit';
import { webhooks } from '@va/webhooks';
import {
  answerJson,
  type CustomerServer,
  startCustomerServer,
} from '../../../packages/webhooks/test/support/customer-server.ts';
import { DescribedAnswers } from './described-answers.ts';
import { exchange, type Reply, type Sent } from './exchange.ts';
import { MovableClock } from './movable-clock.ts';
import { NamedRecordings } from './recordings.ts';
import { serve } from './serve.ts';
import type { PreparedStorage, StorageKind } from './storages.ts';
import { Tenant } from './tenant.ts';

export interface ApiOptions extends HandlerOptions {
  readonly logger?: Logger;
  readonly vaultKey?: Uint8Array;
  readonly resendKey?: string;
  /** Scripted providers by default. */
  readonly providers?: VoiceAgentsOptions['providers'];
  /** Called with every response. */
  readonly onReply?: (sent: Sent, reply: Reply) => void;
}

/** The whole service on one storage, behind a real socket, with the servers that it calls. */
export interface Api {
  readonly va: VoiceAgents;
  readonly storage: Storage;
  /** Returns all stored values, by `table.column`. */
  readonly dump: PreparedStorage['dump'];
  readonly recordsOf: PreparedStorage['recordsOf'];
  readonly handler: Handler;
  readonly server: Server;
  readonly origin: string;
  readonly clock: MovableClock;
  readonly telephony: ScriptedTelephony;
  readonly recordings: NamedRecordings;
  readonly mail: ResendServer;
  /** The server for the webhooks of agents; it delays responses while `customerHeld` is set. */
  readonly customer: CustomerServer;
  holdCustomer(): () => void;
  readonly described: DescribedAnswers;
  /**
   * Sends a request without a key; paths are relative to `/api/v1`. Throws when the API description does not define the
   * response.
   */
  send(sent: Sent): Promise<Reply>;
  /** Creates an organization with a key for every scope. */
  tenant(): Promise<Tenant>;
  /** Returns the key of an operator of the deployment. */
  operatorKey(): Promise<string>;
  close(): Promise<void>;
}

/** Providers that test agents may name. Those with ids of vendors are scripted too. */
export function scriptedProviders(): VoiceAgentsOptions['providers'] {
  return [
    scriptedStt(),
    scriptedLlm([saying('All right.')]),
    scriptedTts(),
    scriptedStt({ id: 'deepgram' }),
    scriptedLlm([saying('All right.')], { id: 'openai' }),
    scriptedTts({ id: 'elevenlabs' }),
    { ...scriptedRealtime({ id: 'xai_realtime' }), aliases: ['vendor_realtime'] },
  ];
}

/** The API description, which is the same for all options. Writing it takes a third of a second. */
let description: Promise<string> | null = null;

export async function openApi(kind: StorageKind, options: ApiOptions = {}): Promise<Api> {
  const { storage, dump, recordsOf, stop } = await kind.prepare();
  const clock = new MovableClock();
  const telephony = new ScriptedTelephony();
  const recordings = new NamedRecordings();
  const { logger = silentLogger, vaultKey = systemRandom(32), resendKey = 're_test', onReply, ...rest } = options;
  const { providers = scriptedProviders(), ...handlerOptions } = rest;
  const mail = await ResendServer.start({ apiKeys: [resendKey] });
  const dns = await DnsServer.start();
  let held: Promise<void> = Promise.resolve();
  const customer = await startCustomerServer((response) => {
    void held.then(() => answerJson(response, {}));
  });
  const va = createVoiceAgents({
    storage,
    clock,
    recordings,
    logger,
    telephony: [telephony],
    publicUrl: 'https://voice.example.com',
    operators: [defaultOrganizationId],
    providers,
    catalog: vendorCatalog,
    webhooks: webhooks({ allowPrivateTargets: true }),
    vault: aesVault({ key: vaultKey }),
    mail: {
      provider: resend({ apiKey: resendKey, baseUrl: mail.url, timeoutMs: 2_000 }),
      dns: systemDns({ servers: [dns.address] }),
      mayUseDomain: () => true,
    },
    vad: levelVad(),
    // Budgets need a price list; the scripted providers cost nothing.
    currency: 'EUR',
    prices: [{ provider: 'unused', kind: 'output_tokens', price: 1, per: 'million_tokens' }],
    // Rows of the contract may leave calls ringing.
    // Other processes of the machine may delay this one.
    limits: { maxConcurrentCalls: 2_000, maxEventLoopLagMs: Number.POSITIVE_INFINITY },
    mediaTimeout: { initialMs: 600_000, generalMs: 600_000 },
  });
  await va.start();
  const handler = createHandler(va, { rateLimits: { requestsPerMinute: 0, controlPerMinute: 0 }, ...handlerOptions });
  const served = await serve(handler);
  const { server, origin, agent } = served;
  description ??= exchange(origin, { method: 'GET', path: '/api/v1/openapi.json' }, agent).then(({ text }) => text);
  const described = DescribedAnswers.of(await description);

  async function send(sent: Sent): Promise<Reply> {
    const reply = await exchange(origin, { ...sent, path: `/api/v1${sent.path}` }, agent);
    onReply?.(sent, reply);
    const faults = described.faultsOf(sent.method, sent.path, reply);
    if (faults.length > 0) throw new Error(`${sent.method} ${sent.path}: ${faults.join('; ')}\n${reply.text}`);
    return reply;
  }

  let operator: Promise<{ readonly secret: string }> | null = null;
  const api: Api = {
    va,
    storage,
    dump,
    recordsOf,
    handler,
    server,
    origin,
    clock,
    telephony,
    recordings,
    mail,
    customer,
    described,
    send,
    holdCustomer() {
      let release = (): void => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    tenant: () => Tenant.create(api),
    async operatorKey() {
      operator ??= va.operations.organizations
        .create({ id: defaultOrganizationId, name: 'Host' })
        .then(({ id }) => va.operations.apiKeys.issue(id, { name: 'operator' }));
      return (await operator).secret;
    },
    async close() {
      await served.close();
      await handler.close();
      await va.close({ drainMs: 0 });
      await Promise.all([mail.close(), dns.close(), customer.close()]);
      await stop();
    },
  };
  return api;
}
