import { createServer, type Server } from 'node:http';
import { type Call, createVoiceAgents, type NewAgent, type NewWebCall, type VoiceAgents } from '@va/core';
import { createHandler, type HandlerOptions } from '@va/http';
import { toNode } from '@va/http/node';
import { memory } from '@va/storage/memory';
import { levelVad, type ScriptedReply, scriptedLlm, scriptedStt, scriptedTts, silentLogger } from '@va/testkit';
import { type WebCallsOptions, webCalls } from '@va/web/server';
import { webhooks } from '@va/webhooks';
import { vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Hello, PageUnderTest } from './page-under-test.ts';

const msPerLetter = 20;

export interface WebServiceOptions {
  readonly replies?: readonly ScriptedReply[];
  readonly turns?: readonly string[];
  readonly agent?: Partial<NewAgent>;
  readonly web?: WebCallsOptions;
  readonly handler?: HandlerOptions;
}

/** A whole service that takes web calls, behind a real socket. */
export class WebService {
  readonly va: VoiceAgents;
  readonly ended: Call[] = [];
  readonly #http: Server;
  readonly #pages: PageUnderTest[] = [];
  readonly #close: () => Promise<void>;
  orgId = '';
  agentId = '';

  private constructor(va: VoiceAgents, http: Server, close: () => Promise<void>) {
    this.va = va;
    this.#http = http;
    this.#close = close;
    va.events.on('call.ended', ({ call }) => this.ended.push(call));
  }

  static async start(options: WebServiceOptions = {}): Promise<WebService> {
    const { replies = [], turns = [], agent = {}, web = {} } = options;
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const va = createVoiceAgents({
      storage: memory(),
      // Other processes of the machine may delay this one.
      limits: { maxEventLoopLagMs: Number.POSITIVE_INFINITY },
      publicUrl: `${urlOf(http)}/voice`,
      providers: [scriptedStt({ turns }), scriptedLlm(replies), scriptedTts({ msPerLetter, code: 0x2a })],
      telephony: [webCalls(web)],
      webhooks: webhooks({ allowPrivateTargets: true }),
      vad: levelVad(),
      logger: silentLogger,
    });
    const handler = createHandler(va, { ...options.handler, basePath: '/voice' });
    http.on('request', toNode(handler)).on('upgrade', handler.upgrade);
    const service = new WebService(va, http, async () => {
      await va.close({ drainMs: 0 });
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    });
    await va.start();
    service.orgId = (await va.operations.organizations.ensureDefault()).id;
    const created = await va.operations.agents.create(service.orgId, {
      name: 'Anna',
      first_message: 'Good evening.',
      stt_config: { provider: 'scripted' },
      llm_config: { provider: 'scripted' },
      tts_config: { provider: 'scripted' },
      recording_enabled: false,
      speech_config: { interruption: { lower_db: 0 } },
      ...agent,
    });
    service.agentId = created.id;
    return service;
  }

  async token(input: Partial<NewWebCall> = {}): Promise<{ token: string; url: string; call_id: string }> {
    return await this.va.operations.calls.createWebCall(this.orgId, { agent_id: this.agentId, ...input });
  }

  get socketUrl(): string {
    return `${urlOf(this.#http)}/voice/telephony/web/calls`.replace('http', 'ws');
  }

  /** Connects a page that sends this first. */
  async connect(first: Hello, headers: Record<string, string> = {}): Promise<PageUnderTest> {
    const socket = new WebSocket(this.socketUrl, { headers });
    const page = new PageUnderTest(socket);
    this.#pages.push(page);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    page.send(first);
    return page;
  }

  /** Calls the agent. */
  async call(input: Partial<NewWebCall> = {}): Promise<PageUnderTest> {
    const page = await this.connect({ type: 'hello', version: 1, token: (await this.token(input)).token });
    await page.message('answered');
    return page;
  }

  /** The record of the call that ends first. */
  async lastCall(): Promise<Call> {
    const { id } = await vi.waitFor(() => {
      const call = this.ended.at(-1);
      if (call === undefined) throw new Error('no call has ended');
      return call;
    }, 15_000);
    return await this.va.operations.calls.get(this.orgId, id);
  }

  async close(): Promise<void> {
    for (const page of this.#pages) page.leave();
    await this.#close();
  }
}

function urlOf(http: Server): string {
  const address = http.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}
