import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aesVault, createVoiceAgents, type VoiceAgents } from '@va/core';
import { systemClock, systemRandom, toError } from '@va/core/adapter';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { memory } from '@va/storage/memory';
import { silentLogger } from '@va/testkit';
import { webCallScript, webCalls } from '@va/web/server';
import { webhooks } from '@va/webhooks';
import { allProviders, hasProviderKeys } from '../providers.ts';
import { stopSignal } from '../stop-signal.ts';
import { startCustomerServer } from './customer-server.ts';
import { Printer } from './printer.ts';
import { reserveTable } from './reservations.ts';
import { callerLines, firstMessage, hostedConfig, localConfig } from './restaurant.ts';
import { webPage } from './web-page.ts';

export interface WebDemoOptions {
  /** Port on 127.0.0.1; by default a free one. */
  readonly port?: number;
  /** Ends the demo when it resolves; by default SIGINT and SIGTERM end it. */
  readonly stopped?: Promise<void>;
}

/**
 * Serves a web page for calls with the demo agent.
 *
 * @example await webDemo({ port: 8080 });
 */
export async function webDemo({ port = 0, stopped = stopSignal() }: WebDemoOptions = {}): Promise<void> {
  const printer = new Printer(systemClock);
  const hosted = hasProviderKeys(process.env);
  const server = createServer();
  server.listen(port, '127.0.0.1');
  // `once` rejects if the port is in use.
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  let secret = '';
  const customer = await startCustomerServer({
    secret: () => secret,
    onWebhook: (received) => printer.webhook(received),
  });
  const va = createVoiceAgents({
    storage: memory(),
    providers: allProviders(),
    publicUrl: origin,
    vault: aesVault({ key: systemRandom(32) }),
    telephony: [webCalls({ origins: [origin], webrtc: { port: 0, address: '127.0.0.1' } })],
    webhooks: webhooks({ allowPrivateTargets: true }),
    tools: [reserveTable((reservation) => printer.reservation(reservation))],
    logger: silentLogger,
  });
  va.events.on('call.notice', ({ notice }) => printer.notice(notice));
  const handler = createHandler(va);
  const api = toNode(handler);
  const pages = new Map<string, DemoPage>([
    ['/va-web.js', { type: 'text/javascript', text: await webCallScript() }],
    ['/', { type: 'text/html; charset=utf-8', text: webPage(hosted ? [] : callerLines.map(({ text }) => text)) }],
  ]);
  try {
    await va.start();
    const { id: orgId } = await va.operations.organizations.ensureDefault();
    const agent = await va.operations.agents.create(orgId, {
      name: 'Harbour Restaurant',
      first_message: firstMessage,
      webhook_url: customer.url,
      recording_enabled: false,
      // The rule-based model cannot summarize.
      ...(hosted ? hostedConfig : { ...localConfig, analysis_plan: { summaryPlan: { enabled: false } } }),
    });
    secret = agent.webhook_secret;
    server.on('upgrade', handler.upgrade).on('request', (request, response) => {
      const page = pages.get(request.url ?? '');
      if (page !== undefined) response.setHeader('content-type', page.type).end(page.text);
      else if (request.url === '/call') void allowCall(va, { orgId, agentId: agent.id, origin }, request, response);
      else api(request, response);
    });
    printer.title('A voice agent in your browser');
    console.log(`Open ${origin} and talk with it. Ctrl-C ends the demo.`);
    await stopped;
  } finally {
    await va.close({ drainMs: 0 });
    await handler.close();
    await customer.close();
    server.close();
    server.closeAllConnections();
  }
}

interface DemoPage {
  readonly type: string;
  readonly text: string;
}

/** Responds to the page's request for a token. In production your own server does this, and decides who may call. */
async function allowCall(
  va: VoiceAgents,
  { orgId, agentId, origin }: { readonly orgId: string; readonly agentId: string; readonly origin: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST' || request.headers.origin !== origin) {
    response.writeHead(403).end();
    return;
  }
  try {
    const answer = await va.operations.calls.createWebCall(orgId, { agent_id: agentId });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  } catch (thrown) {
    response.writeHead(503).end(toError(thrown).message);
  }
}
