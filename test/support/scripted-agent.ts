import { calling, levelVad, type ScriptedReply, saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import type { AgentUnderTest } from './service.ts';

const scriptedFirstMessage = 'Good evening.';
export const scriptedReply = 'With pleasure.';
/** The agent's audio: one μ-law code, repeated in proportion to the text. */
export const scriptedVoice = { code: 0x2a, msPerLetter: 30 } as const;
/** The caller's words that make the agent call its tool. */
export const toolWords = 'look it up';

export interface ScriptedAgentOptions {
  /** The transcripts of the caller, one per turn. */
  readonly turns?: readonly string[];
}

/**
 * Creates an agent without speech engines: it treats any loud sound as speech and responds at once with audio in
 * proportion to its text.
 */
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
      // Long enough that a delay on a busy machine does not split a turn.
      speech_config: { vad: { min_silence_ms: 400 }, endpointing: { min_delay_ms: 400 } },
    },
  };
}
