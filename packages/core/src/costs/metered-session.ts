import type { TtsEvent, TtsSession, TtsUtterance } from '../ports/providers/text-to-speech.ts';
import type { MeteredSource } from './metered-reply.ts';
import type { UsageCounter } from './usage-counter.ts';

/** Bytes per millisecond: 8 kHz at one byte per sample. */
const bytesPerMs = 8;

/**
 * Counts the characters sent to a synthesizer, also those of utterances that are cancelled, and the duration of its
 * audio.
 *
 * @param session its audio is G.711 at 8 kHz
 */
export function meteredSession(session: TtsSession, { meter, source }: MeteredSource): TtsSession {
  const audio = meter.counter(source, 'tts_seconds');
  return {
    speak: () =>
      meteredUtterance(session.speak(), audio, (text) => meter.add(source, 'tts_characters', charactersIn(text))),
    close: () => session.close(),
  };
}

function meteredUtterance(utterance: TtsUtterance, audio: UsageCounter, onText: (text: string) => void): TtsUtterance {
  return {
    push: (text) => {
      onText(text);
      utterance.push(text);
    },
    end: () => utterance.end(),
    cancel: () => utterance.cancel(),
    [Symbol.asyncIterator]: () => meteredEvents(utterance[Symbol.asyncIterator](), audio),
  };
}

function meteredEvents(events: AsyncIterator<TtsEvent>, audio: UsageCounter): AsyncIterator<TtsEvent> {
  const count = (result: IteratorResult<TtsEvent>): IteratorResult<TtsEvent> => {
    if (result.done !== true && result.value.type === 'audio') audio.amount += result.value.audio.length / bytesPerMs;
    return result;
  };
  return {
    next: () => events.next().then(count),
    return: async () => {
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** Vendors bill by character, which may be two UTF-16 units. */
function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
