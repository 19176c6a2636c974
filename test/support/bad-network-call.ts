import { execFileSync } from 'node:child_process';
import { createVoiceAgents } from '@va/core';
import { systemClock, systemRandom } from '@va/core/adapter';
import { synthesize } from '@va/local-speech';
import { encodeG711 } from '@va/media';
import { sip } from '@va/sip';
import { memory } from '@va/storage/memory';
import { silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { callThrough } from './call-through.ts';
import { ImpairingRelay, type Impairment } from './impairing-relay.ts';
import { spokenAgent } from './spoken-agent.ts';

/**
 * Runs in its own network namespace: impairs the network as argv[2] says (an `Impairment` as JSON), serves a call over
 * it, and prints the result. Where the kernel supports it (tc netem), all loopback traffic is impaired, signalling
 * included; elsewhere a relay impairs the media.
 */
const impairment: Impairment = JSON.parse(process.argv[2] ?? '{}');
const number = '+31201234567';
const words = 'i would like to book a table';

function percent(share: number): string {
  return `${share * 100}%`;
}

/** Returns whether the kernel impairs the network; not every kernel can. */
function impairLoopback({ loss, duplication, reordering, jitterMs }: Impairment): boolean {
  const args = ['qdisc', 'add', 'dev', 'lo', 'root', 'netem', 'limit', '10000'];
  // The packets without a delay overtake the others.
  if (reordering !== undefined) args.push('delay', '45ms', 'reorder', percent(1 - reordering));
  if (jitterMs !== undefined) args.push('delay', `${jitterMs / 2}ms`, `${jitterMs / 2}ms`);
  if (loss !== undefined) args.push('loss', percent(loss));
  if (duplication !== undefined) args.push('duplicate', percent(duplication));
  try {
    execFileSync('tc', args, { stdio: 'pipe' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw error;
    return false;
  }
}

const isImpaired = impairLoopback(impairment);
const telephony = sip({ listen: ['udp://127.0.0.1:0'], inbound: 'open' });
const { providers, config } = spokenAgent();
const va = createVoiceAgents({
  // Other processes of the machine may delay this one.
  limits: { maxEventLoopLagMs: Number.POSITIVE_INFINITY },
  storage: memory(),
  providers,
  telephony: [telephony],
  webhooks: webhooks(),
  recordings: {
    create: async () => ({ write() {}, close: async () => {} }),
    open: async () => null,
    delete: async () => false,
  },
  logger: silentLogger,
});
await va.start();
const { id: orgId } = await va.operations.organizations.ensureDefault();
const agent = await va.operations.agents.create(orgId, { name: 'bad network', ...config });
await va.operations.numbers.register(orgId, { phone_number: number, agent_id: agent.id });
const ended = new Promise<{
  status: string;
  end_reason: string | null;
  messages: readonly { role: string; content: string | null }[];
}>((resolve) => {
  va.events.on('call.ended', ({ call }) => resolve(call));
});

const port = telephony.addresses[0]?.port ?? 0;
const relays = isImpaired
  ? null
  : {
      signalling: await ImpairingRelay.open(port, impairment, 1),
      media: await ImpairingRelay.open(null, impairment, 2),
    };
const phone = await callThrough({
  uri: `sip:${number}@127.0.0.1:${relays?.signalling.port ?? port}`,
  clock: systemClock,
  random: systemRandom,
  media: relays?.media ?? null,
});
const speech = encodeG711('pcmu', await synthesize(words, { voice: 'rms' }));
// The first message takes less than five seconds, the reply less than four.
await phone.listen(6_000);
await phone.say(speech);
await phone.listen(6_000);
await phone.hangUp();
const { status, end_reason, messages } = await ended;
const said = messages.map(({ role, content }) => ({ role, content }));
console.log(
  JSON.stringify({
    means: isImpaired ? 'netem' : 'relay',
    status,
    endReason: end_reason,
    isUnderstood: said.some(({ role, content }) => role === 'user' && content === words),
    replies: said.filter(({ role }) => role === 'assistant').length,
    sentFrames: phone.sentFrames,
    heardFrames: phone.heardFrames,
    loudFrames: phone.loudFrames,
    lostByRelay: relays === null ? null : relays.media.lost,
  }),
);
await va.close();
process.exit(0);
