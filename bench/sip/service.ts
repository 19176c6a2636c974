import { createVoiceAgents } from '@va/core';
import { sip } from '@va/sip';
import { memory } from '@va/storage/memory';
import { saying, scriptedLlm, scriptedStt, silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { createDetector } from './deaf-vad.ts';
import { block, type Command, type Detector, type Memory, number, servicePorts } from './settings.ts';
import { talkativeTts } from './talkative-tts.ts';

/**
 * The service's process: one agent that speaks as long as the call lasts. argv[2] is its detector, argv[3] the module
 * of the detector without speech.
 */
const [detector, deafVadModule = ''] = [process.argv[2] as Detector, process.argv[3]];
const telephony = sip({
  listen: ['udp://127.0.0.1:0'],
  inbound: 'open',
  sourceGuard: { trusted: ['127.0.0.1'] },
  rtpPortRange: [servicePorts.min, servicePorts.max],
});
const va = createVoiceAgents({
  storage: memory(),
  providers: [scriptedStt(), talkativeTts(), scriptedLlm(() => saying('Yes.'))],
  telephony: [telephony],
  webhooks: webhooks(),
  recordings: {
    create: async () => ({ write() {}, close: async () => {} }),
    open: async () => null,
    delete: async () => false,
  },
  ...(detector === 'off' ? { vad: { ...createDetector(), module: deafVadModule } } : {}),
  logger: silentLogger,
  limits: { maxConcurrentCalls: 5_000 },
});
await va.start();
const { id: orgId } = await va.operations.organizations.ensureDefault();
const agent = await va.operations.agents.create(orgId, {
  name: 'bench',
  first_message: 'I have a lot to tell you.',
  stt_config: { provider: 'scripted' },
  llm_config: { provider: 'scripted' },
  tts_config: { provider: 'talkative' },
  speech_config: { first_message_interruptible: false },
});
await va.operations.numbers.register(orgId, { phone_number: number, agent_id: agent.id });

function takeThread(): void {
  const until = performance.now() + block.forMs;
  while (performance.now() < until);
}

process.on('message', (command: Command) => {
  if (command === 'block') {
    setInterval(takeThread, block.everyMs);
    return;
  }
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rssMb: rss / 1_048_576, heapMb: heapUsed / 1_048_576 } satisfies Memory);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port: telephony.addresses[0]?.port });
