import { createVoiceAgents, type ServiceLimits, type VoiceAgents, type VoiceAgentsOptions } from '@va/core';
import type { Storage } from '@va/core/adapter';
import { postgres } from '@va/storage/postgres';
import {
  levelVad,
  ScriptedIncomingCall,
  ScriptedTelephony,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
  silentLogger,
} from '@va/testkit';
import { webhooks } from '@va/webhooks';

/**
 * Each test uses one organization and fills whole processes with its calls. Other processes of the machine may delay
 * this one.
 */
export const nodeLimits: ServiceLimits = {
  maxCallsPerOrganization: 0,
  maxRingingCallsPerOrganization: 0,
  maxEventLoopLagMs: Number.POSITIVE_INFINITY,
};

export interface TestNode {
  readonly va: VoiceAgents;
  readonly telephony: ScriptedTelephony;
  readonly storage: Storage;
}

/** Starts a service that behaves like a process of its own, with its own database connections and telephony. */
export async function startNode(
  connectionString: string,
  options: Partial<VoiceAgentsOptions> & { readonly notifications?: boolean; readonly webCallUrl?: string } = {},
): Promise<TestNode> {
  const { notifications = true, webCallUrl = null, ...given } = options;
  const telephony = new ScriptedTelephony(webCallUrl);
  const storage = postgres({ connectionString, migrations: 'auto', maxConnections: 4, notifications });
  const va = createVoiceAgents({
    storage,
    providers: [scriptedStt(), scriptedLlm([saying('All right.')]), scriptedTts()],
    telephony: [telephony],
    webhooks: webhooks({ allowPrivateTargets: true }),
    recordings: {
      create: async () => ({ write() {}, close: async () => {} }),
      open: async () => null,
      delete: async () => false,
    },
    vad: levelVad(),
    logger: silentLogger,
    limits: nodeLimits,
    ...given,
  });
  await va.start();
  return { va, telephony, storage };
}

/** Creates an organization with an agent behind `number`. */
export async function newOrganization({ va }: TestNode, number: string, agent: object = {}): Promise<string> {
  const { id: orgId } = await va.operations.organizations.create({ name: 'Restaurant' });
  const saved = await va.operations.agents.create(orgId, {
    name: 'Anna',
    first_message: 'Good evening, you have reached the restaurant at the harbour, how can I help you?',
    stt_config: { provider: 'scripted' },
    llm_config: { provider: 'scripted' },
    tts_config: { provider: 'scripted' },
    ...agent,
  });
  await va.operations.numbers.register(orgId, { phone_number: number, agent_id: saved.id });
  return orgId;
}

let phones = 0;

/** Returns an unused phone number. */
export function newNumber(): string {
  phones += 1;
  return `+3120${String(1_000_000 + phones)}`;
}

export function callTo({ telephony }: TestNode, number: string): ScriptedIncomingCall {
  return telephony.ring(new ScriptedIncomingCall({ to: number }));
}
