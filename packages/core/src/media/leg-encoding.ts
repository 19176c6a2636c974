import type { G711Encoding } from '../audio/g711.ts';
import { VaError } from '../errors.ts';
import type { AudioFormat } from '../ports/media/audio-format.ts';

/** @throws VaError `unsupported_format` */
export function encodingOf({ encoding }: AudioFormat): G711Encoding {
  if (encoding === 'pcm16') throw new VaError('unsupported_format', 'A telephone leg carries G.711.');
  return encoding;
}
