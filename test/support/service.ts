import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Call,
  type ConversationNotice,
  createVoiceAgents,
  folderRecordings,
  type NewAgent,
  type VoiceAgents,
  type VoiceAgentsOptions,
} from '@va/core';
import { createAddressPolicy } from '@va/core/adapter';
import { createHandler } from '@va/http';
import { sip } from '@va/sip';
import { memory } from '@va/storage/memory';
import { silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { type AnswerTool, type Customer, startCustomer, toolResult } from './customer.ts';
import { endedCall, endedCalls } from './ended-call.ts';
import { scriptedAgent } from './scripted-agent.ts';

export const agentNumber = '+31201234567';

export interface ServiceOptions
  extends Partial<Pick<VoiceAgentsOptions, 'storage' | 'mediaTimeout' | 'vault' | 'onCallEnded'>> {
  /** The agent's providers and configuration; the scripted agent by default. */
  readonly agent?: AgentUnderTest;
  readonly answerTool?: AnswerTool;
  /** The even UDP port for the media of a call, one call at a time. */
  readonly rtpPort?: number;
  /** Accepts calls from anyone by default. */
  readonly inbound?: 'trunks' | 'open';
}

export interface AgentUnderTest extends Partial<Pick<VoiceAgentsOptions, 'vad'>> {
  readonly providers: VoiceAgentsOptions['providers'];
  readonly config: Omit<NewAgent, 'name'>;
}

/** A whole service on loopback, with one agent behind one number, its API and a customer's webhook server. */
export interface TestService {
  readonly va: VoiceAgents;
  readonly customer: Customer;
  readonly orgId: string;
  readonly notices: readonly ConversationNotice[];
  /** The final records of the calls so far, in the order in which they ended. */
  readonly calls: Call[];
  port(transport: 'udp' | 'tcp'): number;
  /** Returns the agent's SIP address. */
  uri(transport?: 'udp' | 'tcp'): string;
  /** Sends a request with a key; the path is relative to `/api/v1`. */
  api(path: string): Promise<Response>;
  /** Resolves to the last call when `count` calls have ended and their records were read. */
  ended(count: number): Promise<Call>;
  close(): Promise<void>;
}

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const { agent = scriptedAgent(), rtpPort } = options;
  const dir = await mkdtemp(join(tmpdir(), 'va-calls-'));
  const telephony = sip({
    inbound: options.inbound ?? 'open',
    sourceGuard: { trusted: ['127.0.0.1'] },
    addresses: createAddressPolicy({ allowed: ['127.0.0.0/8'] }),
    listen: ['udp://127.0.0.1:0', 'tcp://127.0.0.1:0'],
    ...(rtpPort === undefined ? {} : { rtpPortRange: [rtpPort, rtpPort + 1] as const }),
  });
  const va = createVoiceAgents({
    // Other processes of the machine may delay this one.
    limits: { maxEventLoopLagMs: Number.POSITIVE_INFINITY },
    storage: options.storage ?? memory(),
    providers: agent.providers,
    telephony: [telephony],
    webhooks: webhooks({ allowPrivateTargets: true }),
    recordings: folderRecordings({ dir }),
    logger: silentLogger,
    ...(options.onCallEnded === undefined ? {} : { onCallEnded: options.onCallEnded }),
    ...(options.vault === undefined ? {} : { vault: options.vault }),
    ...(agent.vad === undefined ? {} : { vad: agent.vad }),
    ...(options.mediaTimeout === undefined ? {} : { mediaTimeout: options.mediaTimeout }),
  });
  await va.start();
  const { id: orgId } = await va.operations.organizations.ensureDefault();
  const key = await va.operations.apiKeys.issue(orgId, { name: 'test' });
  let secret = '';
  const customer = await startCustomer(() => secret, options.answerTool ?? toolResult('done'));
  const saved = await va.operations.agents.create(orgId, {
    name: 'Harbour Restaurant',
    webhook_url: customer.url,
    ...agent.config,
  });
  secret = saved.webhook_secret;
  await va.operations.numbers.register(orgId, { phone_number: agentNumber, agent_id: saved.id });

  const notices: ConversationNotice[] = [];
  va.events.on('call.notice', ({ notice }) => notices.push(notice));
  const calls = endedCalls(va);
  const handler = createHandler(va);
  const port = (transport: 'udp' | 'tcp'): number => {
    const address = telephony.addresses.find((each) => each.transport === transport);
    if (address === undefined) throw new Error(`the service does not listen on ${transport}`);
    return address.port;
  };

  return {
    va,
    customer,
    orgId,
    notices,
    calls,
    port,
    uri: (transport = 'udp') => `sip:${agentNumber}@127.0.0.1:${port(transport)}`,
    api: (path) =>
      handler.fetch(
        new Request(`http://localhost/api/v1${path}`, { headers: { authorization: `Bearer ${key.secret}` } }),
      ),
    ended: (count) => endedCall(calls, count),
    async close() {
      await va.close({ drainMs: 1_000 });
      await handler.close();
      await customer.close();
      await rm(dir, { recursive: true });
    },
  };
}
