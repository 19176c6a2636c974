import { calling, levelVad, type ScriptedReply, saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import type { AgentUnderTest } from './service.ts';

export const scriptedFirstMessage = 'Good evening.';
export const scriptedReply = 'With pleasure.';
/** The agent's audio: one and the same μ-law code, as long as its text. */
export const scriptedVoice = { code: 0x2a, msPerLetter: 30 } as const;
/** What a caller says to make the agent call its tool. */
export const toolWords = 'look it up';

export interface ScriptedAgentOptions {
  /** What the caller is taken to say, turn by turn. */
  readonly turns?: readonly string[];
}

/** An agent without engines: it takes any loud sound for speech, and answers at once with audio as long as its text. */
export function scriptedAgent({ turns = ['hello'] }: ScriptedAgentOptions = {}): AgentUnderTest {
  return {
    providers: [
      scriptedStt({ turns }),
      scriptedLlm(({ messages }, index): ScriptedReply => {
        const last = messages.at(-1);
        if (last?.role === 'tool') return saying(`I found ${last.content}.`);
        return last?.content === toolWords ? calling('look_up', {}, `call-${index}`) : saying(scriptedReply);
      }),
      scriptedTts(scriptedVoice),
    ],
    vad: levelVad(),
    config: {
      first_message: scriptedFirstMessage,
      stt_config: { provider: 'scripted' },
      llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'look_up' }] },
      tts_config: { provider: 'scripted' },
      // Long enough that a busy machine’s hesitation does not cut a turn in two.
      speech_config: { vad: { min_silence_ms: 400 }, endpointing: { min_delay_ms: 400 } },
    },
  };
}
