import type { WordTiming } from '@va/core/adapter';
import { fieldsOf, itemsOf, type VendorFields } from '../shared/json.ts';

/**
 * Returns the words of a `timestamps` message. Its times count from the start of its context, which begins `offsetMs`
 * into the utterance.
 */
export function readWords(message: VendorFields, offsetMs: number): WordTiming[] {
  const timestamps = fieldsOf(message.word_timestamps);
  if (timestamps === undefined) return [];
  const starts = itemsOf(timestamps.start);
  const ends = itemsOf(timestamps.end);
  return itemsOf(timestamps.words).flatMap((text, at) => {
    const start = starts[at];
    const end = ends[at];
    if (typeof text !== 'string' || typeof start !== 'number' || typeof end !== 'number') return [];
    return [{ text, startMs: offsetMs + start * 1_000, endMs: offsetMs + end * 1_000 }];
  });
}
