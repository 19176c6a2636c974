import { localSpeech, recognize } from '@va/local-speech';
import type { AgentUnderTest } from './service.ts';

const firstMessage = 'Good evening, this is the Harbor Restaurant. How can I help you?';
const reply = 'Thank you, I have made a note of that.';

/** The agent's sentences as the recognizer transcribes them. */
export const spokenWords = {
  firstMessage: 'good evening this is the harbor restaurant how can i help you',
  reply: 'thank you i have made a note of that',
} as const;

const decoys = [
  'good evening this is the garden restaurant what can i do for you',
  'good morning this is the harbor hotel how may i help you',
  'thank you i have made a call to that number',
  'i am sorry we are closed on monday please call again',
  'goodbye and see you soon',
];

/** The phrases that the recognizer can return: the prompts of `human-speech.ts`, and decoys. */
const phrases = [
  'hello world',
  'goodbye',
  'agent logged in',
  'please enter the conference number followed by the pound key',
  'please enter your password followed by the pound key',
  'the number you have dialed is not in service',
  'i would like to book a table',
];

/** Creates an agent with local speech engines that gives the same reply to everything. */
export function spokenAgent(): AgentUnderTest {
  return {
    providers: localSpeech(),
    config: {
      first_message: firstMessage,
      stt_config: { provider: 'pocketsphinx', phrases },
      llm_config: { provider: 'scripted', rules: [{ when: '.', say: reply }] },
      tts_config: { provider: 'flite', voiceId: 'slt' },
    },
  };
}

/** Returns the agent so that it hangs up after its reply. */
export function hangingUp({ providers, config }: AgentUnderTest): AgentUnderTest {
  const llm_config = {
    provider: 'scripted',
    rules: [{ when: '.', say: reply, endCall: true }],
    tools: [{ type: 'endCall' as const }],
  };
  return { providers, config: { ...config, llm_config } };
}

/** Recognizes a piece of the agent's audio: one of its own sentences, a decoy, or nothing. */
export async function hearAgent(pcm: Int16Array): Promise<string> {
  return await recognize(pcm, { phrases: [...Object.values(spokenWords), ...decoys] });
}
