import { fieldsOf } from '../shared/json.ts';
import { firstLanguage } from './detected-language.ts';

/** Fields of a `Results` message that the adapter uses. */
interface TranscriptResults {
  readonly transcript: string;
  /** BCP 47 tag of the most frequent language, from a multilingual model that detected one. */
  readonly language: string | undefined;
  readonly isFinal: boolean;
  /** True for the response to a Finalize. */
  readonly fromFinalize: boolean;
  /** True if the service detected the end of speech. */
  readonly speechFinal: boolean;
}

/** Reads a `Results` message; undefined for every other message, whatever its shape. */
export function readResults(message: unknown): TranscriptResults | undefined {
  const fields = fieldsOf(message);
  if (fields?.type !== 'Results') return undefined;
  const alternatives = fieldsOf(fields.channel)?.alternatives;
  const alternative = Array.isArray(alternatives) ? fieldsOf(alternatives[0]) : undefined;
  const transcript = alternative?.transcript;
  if (typeof transcript !== 'string') return undefined;
  return {
    transcript,
    language: firstLanguage(alternative?.languages),
    isFinal: fields.is_final === true,
    fromFinalize: fields.from_finalize === true,
    speechFinal: fields.speech_final === true,
  };
}
