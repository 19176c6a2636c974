import type { TranscriptMessage } from '../../domain/calls/call.ts';

/** Maximum length of a transcript for the model; of longer ones, the beginning and the end. */
const maxCharacters = 200_000;
const beginningCharacters = 50_000;

/** Formats a transcript with a line per message. */
export function transcriptText(messages: readonly TranscriptMessage[], limit: number = maxCharacters): string {
  const text = messages
    .map(({ role, content }) => `${role === 'user' ? 'Caller' : 'Agent'}: ${content.replaceAll('\n', ' ')}`)
    .join('\n');
  if (text.length <= limit) return text;
  const beginning = Math.min(beginningCharacters, Math.floor(limit / 4));
  return `${text.slice(0, beginning)}\n[…]\n${text.slice(beginning - limit)}`;
}
