import { VaError } from '../runtime/errors.ts';
import type { AudioFormat } from './audio-format.ts';
import type { G711Encoding } from './g711.ts';

/** @throws VaError `unsupported_format` */
export function encodingOf({ encoding }: AudioFormat): G711Encoding {
  if (encoding === 'pcm16') throw new VaError('unsupported_format', 'A telephone leg carries G.711.');
  return encoding;
}
