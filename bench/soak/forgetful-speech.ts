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

/**
 * A recognizer, a model and a voice that answer at once, as the scripted ones do, but keep nothing of calls that are
 * over: those remember them all, for tests.
 */
const formats = [{ encoding: 'pcmu', sampleRateHz: 8_000 }] as const;
const bytesPerLetter = 400;

/** Hears the same words in every turn; in each fourth, those that are answered at length. */
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

/** Speaks as long as the text is. */
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
