import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import {
  aesVault,
  type Call,
  createVoiceAgents,
  type NewAgent,
  type VoiceAgents,
  type VoiceAgentsOptions,
} from '@va/core';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { memory } from '@va/storage/memory';
import { webhooks } from '@va/webhooks';
import type { CarrierCall, CarrierServer, CarrierServerOptions } from '../carrier-servers/index.ts';
import { isSilent, readSound } from '../readable-sound.ts';
import { type ScriptedReply, scriptedLlm } from '../scripted/scripted-llm.ts';
import { scriptedStt } from '../scripted/scripted-stt.ts';
import { scriptedTts } from '../scripted/scripted-tts.ts';
import { levelVad } from '../scripted/scripted-vad.ts';
import { silentLogger } from '../silent-logger.ts';
import type { CarrierSubject } from './subject.ts';

/** Number of the agent's line, in E.164 form. */
export const agentNumber = '+31201234567';
/** Number of the caller, in E.164 form. */
export const callerNumber = '+31610000000';
/** Duration of each letter of the agent's speech, in milliseconds. */
export const msPerLetter = 20;
const loud = new Uint8Array(160).fill(0x0f);
const quiet = new Uint8Array(160).fill(0xff);
/** Maximum duration of each wait, so that a failing test ends. */
const maxWaitMs = 20_000;

/** Options of a service that is connected to a carrier: its scripted providers, agent and carrier server. */
export interface CarrierServiceOptions {
  readonly replies?: readonly ScriptedReply[];
  readonly turns?: readonly string[];
  readonly agent?: Partial<NewAgent>;
  readonly server?: CarrierServerOptions;
  /** Sets `wideband` of the account of the trunk: true for media streams of 16 kHz. Default: not set. */
  readonly wideband?: boolean;
  /** Providers that replace the scripted ones. */
  readonly providers?: VoiceAgentsOptions['providers'];
}

/** A complete service with a number of a carrier, and the server of that carrier. */
export class CarrierService {
  readonly va: VoiceAgents;
  readonly server: CarrierServer;
  readonly baseUrl: string;
  /** Id of the adapter. */
  readonly adapterId: string;
  readonly ended: Call[] = [];
  orgId = '';
  agentId = '';
  trunkId = '';
  readonly #close: () => Promise<void>;

  private constructor(va: VoiceAgents, subject: CarrierSubject, baseUrl: string, close: () => Promise<void>) {
    this.va = va;
    this.server = subject.server;
    this.adapterId = subject.telephony.id;
    this.baseUrl = baseUrl;
    this.#close = close;
    va.events.on('call.ended', ({ call }) => this.ended.push(call));
  }

  /** Starts a service. `open` starts the carrier; it gets the public URL of the service's mount. */
  static async start(
    options: CarrierServiceOptions,
    open: (server: CarrierServerOptions, publicUrl: string) => Promise<CarrierSubject>,
  ): Promise<CarrierService> {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const address = http.address();
    const publicUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/voice`;
    const subject = await open(options.server ?? {}, publicUrl);
    const va = createVoiceAgents({
      storage: memory(),
      // Accepts calls at any event-loop delay: other processes of the machine may slow down the tests.
      limits: { maxEventLoopLagMs: Number.POSITIVE_INFINITY },
      publicUrl,
      vault: aesVault({ key: Buffer.alloc(32, 1) }),
      providers: options.providers ?? [
        scriptedStt({ turns: options.turns ?? [] }),
        scriptedLlm(options.replies ?? []),
        scriptedTts({ msPerLetter, readable: 0 }),
      ],
      telephony: [subject.telephony],
      webhooks: webhooks({ allowPrivateTargets: true }),
      vad: levelVad(),
      logger: silentLogger,
    });
    const handler = createHandler(va, { basePath: '/voice' });
    http.on('request', toNode(handler)).on('upgrade', handler.upgrade);
    const service = new CarrierService(va, subject, publicUrl, async () => {
      await va.close({ drainMs: 0 });
      await handler.close();
      await subject.server.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    });
    await va.start();
    await service.#setUp(options);
    return service;
  }

  /** URL of the adapter's webhooks. */
  get adapterUrl(): string {
    return `${this.baseUrl}/telephony/${this.adapterId}`;
  }

  /** Calls the agent's number, and returns the call once its webhook was answered. */
  async call(): Promise<CarrierCall> {
    const { adapterUrl } = this;
    const { call } = await this.server.receive({ from: callerNumber, to: agentNumber, adapterUrl });
    return call;
  }

  /** Has the agent call a number. */
  async place(destination = '+31687654321', more: { readonly ring_timeout_seconds?: number } = {}): Promise<void> {
    await this.va.operations.calls.place(this.orgId, { agent_id: this.agentId, destination, ...more });
  }

  /** Returns call `n` of the carrier, counted from 0, once its media stream is open. */
  async streaming(n = 0): Promise<CarrierCall> {
    await this.until(() => this.server.calls[n]?.isStreaming === true);
    const call = this.server.calls[n];
    assert.ok(call !== undefined);
    return call;
  }

  /** Sends a command to the live call. */
  async control(command: Parameters<VoiceAgents['operations']['calls']['control']>[2]): Promise<void> {
    const { calls } = await this.va.operations.calls.list(this.orgId, {});
    await this.va.operations.calls.control(this.orgId, calls[0]?.id ?? '', command);
  }

  /** Has transfers placed over the trunk. */
  async useTrunkForTransfers(): Promise<void> {
    const [number] = await this.va.operations.numbers.list(this.orgId);
    await this.va.operations.numbers.update(this.orgId, number?.id ?? '', { transfer_trunk_id: this.trunkId });
  }

  /** Has the phone speak for a time, in real time. */
  async speak(call: CarrierCall, forMs: number, frame: Uint8Array = loud): Promise<void> {
    const startedAtMs = performance.now();
    for (let sent = 0; sent * 20 < forMs; ) {
      const due = Math.min(forMs / 20, Math.floor((performance.now() - startedAtMs) / 20) + 1);
      for (; sent < due; sent++) call.say(frame);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /**
   * Sends silence until a condition holds.
   * @throws AssertionError after 20 s
   */
  async silence(call: CarrierCall, until: () => boolean): Promise<void> {
    for (let waitedMs = 0; !until(); waitedMs += 100) {
      assert.ok(waitedMs < maxWaitMs, `It never came true: ${until}. Heard: ${heardText(call)}`);
      await this.speak(call, 100, quiet);
    }
  }

  /**
   * Waits until a condition holds.
   * @throws AssertionError after 20 s
   */
  async until(condition: () => boolean): Promise<void> {
    for (let waitedMs = 0; !condition(); waitedMs += 10) {
      assert.ok(waitedMs < maxWaitMs, `It never came true: ${condition}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Waits until a call has ended, and returns the record of the last one. */
  async lastCall(): Promise<Call> {
    await this.until(() => this.ended.length > 0);
    return await this.va.operations.calls.get(this.orgId, this.ended.at(-1)?.id ?? '');
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #setUp({ agent: changes = {}, wideband }: CarrierServiceOptions): Promise<void> {
    const { operations } = this.va;
    this.orgId = (await operations.organizations.ensureDefault()).id;
    const agent = await operations.agents.create(this.orgId, {
      name: 'Anna',
      first_message: 'Good evening.',
      stt_config: { provider: 'scripted' },
      llm_config: { provider: 'scripted' },
      tts_config: { provider: 'scripted' },
      recording_enabled: false,
      voicemail_detection: false,
      speech_config: { interruption: { lower_db: 0 } },
      ...changes,
    });
    this.agentId = agent.id;
    const { type, account: own, credentials } = this.server.trunk;
    const account = wideband === undefined ? own : { ...own, wideband };
    const trunk = { type, account, credentials, name: 'Carrier', numbers: [agentNumber] };
    this.trunkId = (await operations.trunks.create(this.orgId, trunk as never)).id;
    await operations.numbers.register(this.orgId, { phone_number: agentNumber, agent_id: agent.id });
  }
}

/** Returns the text that a phone has heard, without the silence. */
export function heardText(call: CarrierCall): string {
  const sound = Buffer.concat(call.heard).filter((code) => !isSilent(code));
  return readSound(sound, msPerLetter).text;
}
