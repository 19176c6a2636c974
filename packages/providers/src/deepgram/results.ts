import { fieldsOf } from '../shared/json.ts';

export interface Results {
  readonly transcript: string;
  readonly isFinal: boolean;
  /** True for the response to a local Finalize. */
  readonly fromFinalize: boolean;
  /** True if the service detected the end of speech. */
  readonly speechFinal: boolean;
}

/** Reads the part of a `Results` message that a call needs; undefined for every other message, whatever its shape. */
export function readResults(message: unknown): Results | undefined {
  const fields = fieldsOf(message);
  if (fields?.type !== 'Results') return undefined;
  const alternatives = fieldsOf(fields.channel)?.alternatives;
  const transcript = Array.isArray(alternatives) ? fieldsOf(alternatives[0])?.transcript : undefined;
  if (typeof transcript !== 'string') return undefined;
  return {
    transcript,
    isFinal: fields.is_final === true,
    fromFinalize: fields.from_finalize === true,
    speechFinal: fields.speech_final === true,
  };
}
