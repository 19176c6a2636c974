import { fieldsOf } from '../shared/json.ts';
import { firstLanguage } from './detected-language.ts';

const turnEvents = ['StartOfTurn', 'Update', 'EagerEndOfTurn', 'TurnResumed', 'EndOfTurn'] as const;

/** Fields of a `TurnInfo` message that the adapter uses. */
export interface TurnInfo {
  readonly event: (typeof turnEvents)[number];
  /** Number of the turn on its connection. */
  readonly turn: number;
  /** The words of the turn so far. */
  readonly transcript: string;
  /** BCP 47 tag of the most frequent language of the turn, from the multilingual model. */
  readonly language?: string;
}

/** Reads a `TurnInfo` message; undefined for every other message, whatever its shape. */
export function readTurnInfo(message: unknown): TurnInfo | undefined {
  const fields = fieldsOf(message);
  if (fields?.type !== 'TurnInfo') return undefined;
  const event = turnEvents.find((each) => each === fields.event);
  const { turn_index: turn, transcript } = fields;
  if (event === undefined || typeof turn !== 'number' || typeof transcript !== 'string') return undefined;
  const language = firstLanguage(fields.languages);
  return { event, turn, transcript: transcript.trim(), ...(language !== undefined && { language }) };
}
