import { chooseFormat, formatOf, type LegEncoding, toLeg } from '@va/media';
import type { TtsConfig } from '../domain/agents/agent.ts';
import type {
  TextToSpeech,
  TtsEvent,
  TtsSession,
  TtsSessionOptions,
  TtsUtterance,
} from '../ports/providers/text-to-speech.ts';
import type { Link } from './link.ts';

/**
 * Opens a synthesizer session with audio in the leg's encoding, which is converted unless the provider supports the
 * G.711 encoding of the leg.
 * @throws VaError `unsupported_format`; errors of the provider
 */
export function openLegSession(
  { provider, config }: Link<TextToSpeech, TtsConfig>,
  encoding: LegEncoding,
  options: Omit<TtsSessionOptions, 'config' | 'format'>,
): TtsSession {
  const format = chooseFormat(provider.formats, formatOf(encoding));
  const session = provider.open({ ...options, config, format });
  // A chunk of 16-bit samples may end within a sample, which `toLeg` completes.
  if (format.encoding === encoding && encoding !== 'pcm16') return session;
  return {
    speak: () => inEncoding(session.speak(), toLeg(format, encoding)),
    close: () => session.close(),
  };
}

function inEncoding(utterance: TtsUtterance, convert: (audio: Uint8Array) => Uint8Array): TtsUtterance {
  return {
    push: (text) => utterance.push(text),
    end: () => utterance.end(),
    cancel: () => utterance.cancel(),
    async *[Symbol.asyncIterator](): AsyncGenerator<TtsEvent, void, undefined> {
      for await (const event of utterance) {
        yield event.type === 'audio' ? { type: 'audio', audio: convert(event.audio) } : event;
      }
    },
  };
}
