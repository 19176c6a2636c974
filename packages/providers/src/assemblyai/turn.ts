import { fieldsOf, type VendorFields } from '../shared/json.ts';

/** Fields of a `Turn` message that the adapter uses. */
export interface Turn {
  readonly order: number;
  /** Words of the turn so far; all of them if `isEnd`. */
  readonly text: string;
  readonly isEnd: boolean;
  readonly isFormatted: boolean;
  /** Detected language, if the detection was requested. */
  readonly language: string | undefined;
}

/** Reads a `Turn` message; undefined for every other message, whatever its shape. */
export function readTurn(message: VendorFields): Turn | undefined {
  const { type, turn_order: order, transcript, words, language_code: language } = message;
  if (type !== 'Turn' || typeof order !== 'number' || typeof transcript !== 'string') return undefined;
  const isEnd = message.end_of_turn === true;
  // Until the turn has ended, `transcript` has only its final words.
  const spoken = Array.isArray(words) ? words.map((word) => fieldsOf(word)?.text) : [];
  const partial = spoken.filter((text) => typeof text === 'string').join(' ');
  return {
    order,
    text: isEnd || partial.length < transcript.length ? transcript : partial,
    isEnd,
    isFormatted: message.turn_is_formatted === true,
    language: typeof language === 'string' && language !== '' ? language : undefined,
  };
}
