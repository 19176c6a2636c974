import { type LegEncoding, legAudio } from '@va/media';
import type { TtsEvent, TtsSession, TtsUtterance } from '../ports/providers/text-to-speech.ts';
import type { MeteredSource } from './metered-reply.ts';
import type { UsageCounter } from './usage-counter.ts';

/**
 * Counts the characters sent to a synthesizer, also those of utterances that are cancelled, and the duration of its
 * audio.
 *
 * @param encoding encoding of the session's audio
 */
export function meteredSession(
  session: TtsSession,
  encoding: LegEncoding,
  { meter, source }: MeteredSource,
): TtsSession {
  const audio: AudioCounter = { counter: meter.counter(source, 'tts_seconds'), ...legAudio[encoding] };
  return {
    speak: () =>
      meteredUtterance(session.speak(), audio, (text) => meter.add(source, 'tts_characters', charactersIn(text))),
    close: () => session.close(),
  };
}

interface AudioCounter {
  readonly counter: UsageCounter;
  readonly bytesPerMs: number;
}

function meteredUtterance(utterance: TtsUtterance, audio: AudioCounter, onText: (text: string) => void): TtsUtterance {
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

function meteredEvents(
  events: AsyncIterator<TtsEvent>,
  { counter, bytesPerMs }: AudioCounter,
): AsyncIterator<TtsEvent> {
  const count = (result: IteratorResult<TtsEvent>): IteratorResult<TtsEvent> => {
    if (result.done !== true && result.value.type === 'audio') counter.amount += result.value.audio.length / bytesPerMs;
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
