import { createServer } from 'node:http';
import { twilio } from '@va/carriers/twilio';
import { aesVault, type Call, createVoiceAgents, type NewAgent, type VoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { memory } from '@va/storage/memory';
import {
  isSilent,
  levelVad,
  readSound,
  type ScriptedReply,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
  silentLogger,
} from '@va/testkit';
import { type TwilioCall, TwilioServer, type TwilioServerOptions } from '@va/testkit/carrier-servers';
import { webhooks } from '@va/webhooks';
import { vi } from 'vitest';

export const agentNumber = '+31201234567';
export const msPerLetter = 20;
const loud = new Uint8Array(160).fill(0x0f);
const quiet = new Uint8Array(160).fill(0xff);

export interface TwilioServiceOptions {
  readonly replies?: readonly ScriptedReply[];
  readonly turns?: readonly string[];
  readonly agent?: Partial<NewAgent>;
  readonly server?: TwilioServerOptions;
  /** Gives the node an address beside that of the service. */
  readonly hasOwnAddress?: true;
}

/** A whole service whose number is one of Twilio's, and Twilio itself. */
export class TwilioService {
  readonly va: VoiceAgents;
  readonly server: TwilioServer;
  readonly baseUrl: string;
  readonly ended: Call[] = [];
  orgId = '';
  agentId = '';
  trunkId = '';
  readonly #close: () => Promise<void>;

  private constructor(va: VoiceAgents, server: TwilioServer, baseUrl: string, close: () => Promise<void>) {
    this.va = va;
    this.server = server;
    this.baseUrl = baseUrl;
    this.#close = close;
    va.events.on('call.ended', ({ call }) => this.ended.push(call));
  }

  static async start(options: TwilioServiceOptions = {}): Promise<TwilioService> {
    const server = await TwilioServer.start(options.server);
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const address = http.address();
    const publicUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/voice`;
    const nodeUrl = publicUrl.replace('127.0.0.1', 'localhost');
    const va = createVoiceAgents({
      storage: memory(),
      publicUrl,
      vault: aesVault({ key: Buffer.alloc(32, 1) }),
      providers: [
        scriptedStt({ turns: options.turns ?? [] }),
        scriptedLlm(options.replies ?? []),
        scriptedTts({ msPerLetter, readable: 0 }),
      ],
      telephony: [twilio({ apiUrl: server.url, ...(options.hasOwnAddress && { publicUrl: nodeUrl }) })],
      webhooks: webhooks({ allowPrivateTargets: true }),
      vad: levelVad(),
      logger: silentLogger,
    });
    const handler = createHandler(va, { basePath: '/voice' });
    http.on('request', toNode(handler)).on('upgrade', handler.upgrade);
    const service = new TwilioService(va, server, publicUrl, async () => {
      await va.close({ drainMs: 0 });
      await handler.close();
      await server.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    });
    await va.start();
    await service.#setUp(options.agent ?? {});
    return service;
  }

  get voiceUrl(): string {
    return `${this.baseUrl}/telephony/twilio/voice`;
  }

  /** Calls the agent's number. */
  async call(): Promise<TwilioCall> {
    const { call } = await this.server.call({ from: '+31610000000', to: agentNumber, voiceUrl: this.voiceUrl });
    return call;
  }

  /** Has transfers placed over the trunk. */
  async useTrunkForTransfers(): Promise<void> {
    const [number] = await this.va.operations.numbers.list(this.orgId);
    await this.va.operations.numbers.update(this.orgId, number?.id ?? '', { transfer_trunk_id: this.trunkId });
  }

  /** Has the phone speak for a time, in real time, between silence. */
  async speak(call: TwilioCall, forMs: number, frame: Uint8Array = loud): Promise<void> {
    const startedAtMs = performance.now();
    for (let sent = 0; sent * 20 < forMs; ) {
      const due = Math.min(forMs / 20, Math.floor((performance.now() - startedAtMs) / 20) + 1);
      for (; sent < due; sent++) call.say(frame);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Sends silence until something holds. */
  async silence(call: TwilioCall, until: () => boolean): Promise<void> {
    for (let waited = 0; !until(); waited += 100) {
      if (waited > 20_000) throw new Error('It never came true.');
      await this.speak(call, 100, quiet);
    }
  }

  async lastCall(): Promise<Call> {
    await vi.waitFor(() => {
      if (this.ended.length === 0) throw new Error('No call has ended.');
    }, 20_000);
    const id = this.ended.at(-1)?.id ?? '';
    return await this.va.operations.calls.get(this.orgId, id);
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #setUp(changes: Partial<NewAgent>): Promise<void> {
    const { operations } = this.va;
    this.orgId = (await operations.organizations.ensureDefault()).id;
    const agent = await operations.agents.create(this.orgId, {
      name: 'Anna',
      first_message: 'Good evening.',
      stt_config: { provider: 'scripted' },
      llm_config: { provider: 'scripted' },
      tts_config: { provider: 'scripted' },
      recording_enabled: false,
      speech_config: { interruption: { lower_db: 0 } },
      ...changes,
    });
    this.agentId = agent.id;
    const trunk = await operations.trunks.create(this.orgId, {
      type: 'twilio',
      name: 'Twilio',
      account: { account_sid: this.server.accountSid },
      credentials: { auth_token: this.server.authToken },
      numbers: [agentNumber],
    });
    this.trunkId = trunk.id;
    await operations.numbers.register(this.orgId, { phone_number: agentNumber, agent_id: agent.id });
  }
}

/** Returns the text that a phone has heard, without the silence. */
export function heardText(call: TwilioCall): string {
  const sound = Buffer.concat(call.heard).filter((code) => !isSilent(code));
  return readSound(sound, msPerLetter).text;
}
