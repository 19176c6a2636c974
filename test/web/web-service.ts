import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Call, createVoiceAgents, folderRecordings, type NewAgent, type PublishableKey } from '@va/core';
import { type Clock, systemClock } from '@va/core/adapter';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { memory } from '@va/storage/memory';
import { silentLogger } from '@va/testkit';
import { type WebCallsOptions, webCallScript, webCalls } from '@va/web/server';
import { webhooks } from '@va/webhooks';
import { endedCall, endedCalls } from '../support/ended-call.ts';
import type { AgentUnderTest } from '../support/service.ts';
import { spokenAgent } from '../support/spoken-agent.ts';
import { CuttableProxy } from './cuttable-proxy.ts';

/** A whole service with an agent that speaks and listens, and a page that calls it over a network that can be cut. */
export interface WebTestService {
  /** Folder for files of the test. */
  readonly dir: string;
  readonly pageUrl: string;
  /** Serves another page. */
  addPage(path: string, text: string): void;
  readonly network: CuttableProxy;
  readonly calls: readonly Call[];
  /** Creates a key with which pages of the origins may call the agent. */
  publishableKey(origins: string[]): Promise<PublishableKey>;
  token(): Promise<{ url: string; token: string; call_id: string }>;
  api(path: string): Promise<Response>;
  /** Ends a call from the side of the service. */
  hangUp(callId: string): Promise<void>;
  ended(count: number): Promise<Call>;
  close(): Promise<void>;
}

export async function startWebService(
  agent: Partial<NewAgent> = {},
  web?: WebCallsOptions,
  { providers, config, vad }: AgentUnderTest = spokenAgent(),
  clock: Clock = systemClock,
): Promise<WebTestService> {
  const dir = await mkdtemp(join(tmpdir(), 'va-web-'));
  const script = await webCallScript();
  const extra = new Map<string, string>();
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const network = await CuttableProxy.start(() => port);
  const origin = `http://127.0.0.1:${network.port}`;
  const va = createVoiceAgents({
    storage: memory(),
    clock,
    // Other processes of the machine may delay this one.
    limits: { maxEventLoopLagMs: Number.POSITIVE_INFINITY },
    providers,
    publicUrl: origin,
    telephony: [webCalls(web ?? { origins: [origin] })],
    webhooks: webhooks({ allowPrivateTargets: true }),
    recordings: folderRecordings({ dir }),
    logger: silentLogger,
    ...(vad === undefined ? {} : { vad }),
  });
  const handler = createHandler(va);
  const api = toNode(handler);
  http.on('upgrade', handler.upgrade).on('request', (request, response) => {
    if (request.url === '/') response.setHeader('content-type', 'text/html').end(pageText);
    else if (request.url === '/va-web.js') response.setHeader('content-type', 'text/javascript').end(script);
    else if (request.url === '/call') {
      void service.token().then((answer) => response.end(JSON.stringify(answer)));
    } else if (extra.has(request.url ?? ''))
      response.setHeader('content-type', 'text/html').end(extra.get(request.url ?? ''));
    else api(request, response);
  });
  await va.start();
  const { id: orgId } = await va.operations.organizations.ensureDefault();
  const { secret } = await va.operations.apiKeys.issue(orgId, { name: 'test' });
  const { id: agentId } = await va.operations.agents.create(orgId, { name: 'Anna', ...config, ...agent });
  const calls = endedCalls(va);
  const service: WebTestService = {
    dir,
    addPage: (path, text) => extra.set(path, text),
    pageUrl: `${origin}/`,
    network,
    calls,
    publishableKey: (origins) =>
      va.operations.publishableKeys.create(orgId, { name: 'Site', agents: [agentId], origins, variables: ['name'] }),
    token: () => va.operations.calls.createWebCall(orgId, { agent_id: agentId }),
    api: (path) =>
      handler.fetch(new Request(`http://localhost/api/v1${path}`, { headers: { authorization: `Bearer ${secret}` } })),
    hangUp: async (callId) => {
      await va.operations.calls.control(orgId, callId, { type: 'end-call' });
    },
    ended: (count) => endedCall(calls, count, 20_000),
    async close() {
      await va.close({ drainMs: 0 });
      await handler.close();
      await network.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await rm(dir, { recursive: true });
    },
  };
  return service;
}

/** Collects all events of the call in `events`. */
const pageText = `<!doctype html><title>call</title><button>Call</button><script src="/va-web.js"></script><script>
const events = [];
function prepare(options) {
  window.call = VaWeb.createWebCall(options);
  for (const name of ['state', 'transcript', 'tool', 'latency', 'suspended', 'device-error', 'ended']) {
    call.on(name, (event) => events.push({ name, ...event, code: event.code ?? event.error?.code }));
  }
}
async function start(options) {
  prepare(options);
  try {
    await call.start();
    return 'started';
  } catch (error) {
    return error.code;
  }
}
</script>`;
