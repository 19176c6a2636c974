import {
  EventQueue,
  type LanguageModel,
  type SpeechToText,
  type SttEvent,
  type SttStream,
  type TextToSpeech,
  type TtsEvent,
  type TtsUtterance,
} from '@va/core/adapter';
import { answerTo } from '../support/bench-service.ts';

/** Recognizer, model and synthesizer that answer at once, like the scripted ones, but keep nothing of ended calls. */
const formats = [{ encoding: 'pcmu', sampleRateHz: 8_000 }] as const;
const bytesPerLetter = 400;

/** Returns a recognizer with the same word in each turn; every fourth turn has the word that gets a long reply. */
export function forgetfulStt(): SpeechToText {
  return { kind: 'stt', id: 'scripted', formats, open: recognize };
}

function recognize(): SttStream {
  const events = new EventQueue<SttEvent>();
  let turns = 0;
  return {
    send() {},
    speechStarted() {},
    finalize() {
      turns += 1;
      events.push({ type: 'final', text: turns % 4 === 3 ? 'story' : 'turn' });
      events.push({ type: 'finalized' });
    },
    close: () => events.discard(),
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  };
}

/** Returns a synthesizer whose audio is as long as the text. */
export function forgetfulTts(): TextToSpeech {
  return { kind: 'tts', id: 'scripted', formats, open: () => ({ speak: utter, close() {} }) };
}

function utter(): TtsUtterance {
  const events = new EventQueue<TtsEvent>();
  return {
    push(text) {
      events.push({ type: 'audio', audio: new Uint8Array(text.length * bytesPerLetter).fill(0x2a) });
    },
    end: () => events.end(),
    cancel: () => events.discard(),
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  };
}

export function forgetfulLlm(): LanguageModel {
  return {
    kind: 'llm',
    id: 'scripted',
    async *stream({ messages }) {
      yield { type: 'text', text: answerTo(messages.at(-1)?.content, 'Okay, I have made a note.') };
    },
  };
}
