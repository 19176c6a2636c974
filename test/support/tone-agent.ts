import {
  type AudioFormat,
  EventQueue,
  type SpeechToText,
  type SttEvent,
  type TextToSpeech,
  type TtsEvent,
} from '@va/core/adapter';
import { decodeG711, decodeSamples, encodeG711, encodeSamples } from '@va/media';
import { tone } from '@va/test-servers/audio';
import { levelVad, saying, scriptedLlm } from '@va/testkit';
import type { AgentUnderTest } from './service.ts';

/** The agent's voice: a second of a tone above the telephone band, and of one within it. */
export const agentHz = { high: 6_500, low: 900 } as const;

const narrow: readonly AudioFormat[] = [
  { encoding: 'pcmu', sampleRateHz: 8_000 },
  { encoding: 'pcma', sampleRateHz: 8_000 },
];
const formats: readonly AudioFormat[] = [...narrow, { encoding: 'pcm16', sampleRateHz: 16_000 }];

/** Audio that the recognizer of a call received. */
interface Recognized {
  readonly format: AudioFormat;
  readonly samples: number[];
}

export interface ToneAgent extends AgentUnderTest {
  /** One per call. */
  readonly recognized: readonly Recognized[];
  /** The formats in which the synthesizer was asked to speak. */
  readonly spoken: readonly AudioFormat[];
}

/** Creates an agent whose voice is a tone, and whose recognizer keeps what it hears. */
export function toneAgent(): ToneAgent {
  const recognized: Recognized[] = [];
  const spoken: AudioFormat[] = [];
  const stt: SpeechToText = {
    kind: 'stt',
    id: 'ear',
    formats,
    open({ format, signal }) {
      const events = new EventQueue<SttEvent>();
      const samples: number[] = [];
      recognized.push({ format, samples });
      signal.addEventListener('abort', () => events.discard(), { once: true });
      return {
        send: (audio) => void samples.push(...decoded(format, audio)),
        speechStarted: () => {},
        finalize: () => events.push({ type: 'finalized' }),
        close: () => events.discard(),
        [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
      };
    },
  };
  const tts: TextToSpeech = {
    kind: 'tts',
    id: 'horn',
    formats,
    open({ format }) {
      spoken.push(format);
      return {
        speak() {
          const events = new EventQueue<TtsEvent>();
          return {
            push: () => events.push({ type: 'audio', audio: voice(format) }),
            end: () => events.end(),
            cancel: () => events.discard(),
            [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
          };
        },
        close: () => {},
      };
    },
  };
  return {
    providers: [stt, scriptedLlm([saying('Yes.')]), tts],
    vad: levelVad({ threshold: 30_000 }),
    recognized,
    spoken,
    config: {
      first_message: 'Hello.',
      stt_config: { provider: 'ear' },
      llm_config: { provider: 'scripted' },
      tts_config: { provider: 'horn' },
      recording_enabled: true,
    },
  };
}

function decoded({ encoding }: AudioFormat, audio: Uint8Array): Int16Array {
  return encoding === 'pcm16' ? decodeSamples('pcm16', audio) : decodeG711(encoding, audio);
}

function voice({ encoding, sampleRateHz }: AudioFormat): Uint8Array {
  const low = tone(1_000, agentHz.low, 6_000, sampleRateHz);
  const both = tone(1_000, agentHz.high, 6_000, sampleRateHz).map((sample, i) => sample + (low[i] ?? 0));
  return encoding === 'pcm16' ? encodeSamples('pcm16', both) : encodeG711(encoding, low);
}
