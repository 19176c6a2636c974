import { randomBytes } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { aesVault, createVoiceAgents, type HostTool, type VoiceAgents, type VoiceAgentsOptions } from '@va/core';
import { createAddressPolicy, type Storage, type Telephony } from '@va/core/adapter';
import { sip } from '@va/sip';
import { memory } from '@va/storage/memory';
import { saying, scriptedLlm, scriptedStt, scriptedTts, silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { bundleSources } from '../../scripts/bundle-sources.mjs';
import { createDetector } from './exact-vad.ts';
import { hrClock } from './hr-clock.ts';

export interface BenchServiceOptions {
  readonly number: string;
  /** Recognizer, model and synthesizer with the id `scripted`, such as those of `answeringAtOnce`. */
  readonly providers: VoiceAgentsOptions['providers'];
  /** Tools of the host, which the agent has; none by default. */
  readonly tools?: readonly HostTool[];
  readonly endpointingMs: number;
  readonly interruptionMs: number;
  /** In memory by default. */
  readonly storage?: Storage;
  /** Telephony beside SIP, which needs the URL of the mount. */
  readonly streams?: { readonly telephony: readonly Telephony[]; readonly publicUrl: string };
}

export interface BenchService {
  readonly va: VoiceAgents;
  /** The address to call. */
  readonly target: string;
  readonly orgId: string;
  readonly agentId: string;
}

export interface Conversation {
  /** Words of each caller, turn by turn; the reply to `story` is long. */
  readonly turns: readonly string[];
  /** Reply to every other turn. */
  readonly reply: string;
}

/** Returns the reply to a turn. */
export function answerTo(turn: string | null | undefined, reply: string): string {
  return turn === 'story' ? 'Once upon a time '.repeat(20) : reply;
}

export function answeringAtOnce({ turns, reply }: Conversation): VoiceAgentsOptions['providers'] {
  const model = scriptedLlm(({ messages }) => saying(answerTo(messages.at(-1)?.content, reply)));
  return [scriptedStt({ turns }), scriptedTts(), model];
}

/** Returns the module of the detector for the media thread: next to this file, if this is compiled (`bundle`). */
async function detectorModule(): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) return new URL('./exact-vad.mjs', import.meta.url).href;
  return pathToFileURL(await bundleSources(new URL('./exact-vad.ts', import.meta.url), 'source')).href;
}

/** Starts a service on loopback with one agent. */
export async function startBenchService(options: BenchServiceOptions): Promise<BenchService> {
  const { number, providers, tools = [], endpointingMs, interruptionMs, storage = memory(), streams } = options;
  const sipTelephony = sip({
    listen: ['udp://127.0.0.1:0'],
    inbound: 'open',
    sourceGuard: { trusted: ['127.0.0.1'] },
    addresses: createAddressPolicy({ allowed: ['127.0.0.0/8'] }),
  });
  const va = createVoiceAgents({
    storage,
    providers,
    tools,
    telephony: [sipTelephony, ...(streams?.telephony ?? [])],
    ...(streams !== undefined && { publicUrl: streams.publicUrl, vault: aesVault({ key: randomBytes(32) }) }),
    webhooks: webhooks(),
    recordings: {
      create: async () => ({ write() {}, close: async () => {} }),
      open: async () => null,
      delete: async () => false,
    },
    vad: { ...createDetector(), module: await detectorModule() },
    clock: hrClock,
    logger: silentLogger,
    limits: { maxConcurrentCalls: 1_000 },
  });
  await va.start();
  const { id: orgId } = await va.operations.organizations.ensureDefault();
  const agent = await va.operations.agents.create(orgId, {
    name: 'bench',
    max_duration_seconds: 600,
    stt_config: { provider: 'scripted' },
    llm_config: { provider: 'scripted', tools: tools.map(({ name }) => ({ type: 'host', name })) },
    tts_config: { provider: 'scripted' },
    speech_config: {
      vad: { min_speech_ms: 40, min_silence_ms: endpointingMs - 20 },
      endpointing: { mode: 'fixed', min_delay_ms: endpointingMs },
      interruption: { min_duration_ms: interruptionMs },
    },
  });
  await va.operations.numbers.register(orgId, { phone_number: number, agent_id: agent.id });
  const [address] = sipTelephony.addresses;
  return { va, orgId, agentId: agent.id, target: `sip:${number}@127.0.0.1:${address?.port}` };
}
