import { localSpeech } from '@va/local-speech';
import { createSipCaller, type SipCall } from '@va/testkit/sip-caller';
import { expect, it } from 'vitest';
import { scriptedAgent } from '../support/scripted-agent.ts';
import { type AgentUnderTest, startService } from '../support/service.ts';

/** An agent whose speech is synthesized in the process, by local engines. */
const local: AgentUnderTest = {
  providers: localSpeech(),
  config: {
    first_message: 'Good evening. This is the bakery on the corner, how can I help you today?',
    stt_config: { provider: 'pocketsphinx', phrases: ['hello'] },
    llm_config: { provider: 'scripted', rules: [{ when: '.', say: 'Very well.' }] },
    tts_config: { provider: 'flite' },
  },
};

async function greetedAfterMs(call: SipCall): Promise<number> {
  const heardAtMs = await call.waitForSpeech();
  await call.hangup();
  return heardAtMs - call.answeredAtMs;
}

it.each([
  ['an agent whose voice answers at once', scriptedAgent()],
  ['an agent with local engines', local],
] as const)('%s greets the caller after the answer, on the first call and later ones', async (name, agent) => {
  const service = await startService({ agent });
  try {
    // Printed for docs/performance.md, not asserted: other processes of the machine delay the call.
    const figures: number[] = [];
    for (let call = 0; call < 3; call += 1) {
      figures.push(Math.round(await greetedAfterMs(await createSipCaller().dial(service.uri()))));
      expect(figures[call]).toBeGreaterThan(0);
      await service.ended(call + 1);
    }
    console.info(`${name}: greeted ${figures.join(', ')} ms after the answer`);
  } finally {
    await service.close();
  }
});
