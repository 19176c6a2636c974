import type { LanguageModel, TextToSpeech, TtsEvent } from '@va/core/adapter';
import { EventQueue } from '@va/core/adapter';

/** A TTS that ignores cancellation; the audio code identifies the utterance. */
export function deafVoice(msPerText = 3_000): TextToSpeech & { readonly codes: readonly number[] } {
  const codes: number[] = [];
  return {
    kind: 'tts',
    id: 'scripted',
    formats: [{ encoding: 'pcmu', sampleRateHz: 8_000 }],
    codes,
    open: ({ clock }) => ({
      speak() {
        const code = 0x20 + codes.length;
        codes.push(code);
        const events = new EventQueue<TtsEvent>();
        let left = 0;
        let ended = false;
        const piece = (): void => {
          events.push({ type: 'audio', audio: new Uint8Array(800).fill(code) });
          left -= 100;
          if (left > 0) clock.setTimer(100, piece);
          else if (ended) events.end();
        };
        return {
          push() {
            left += msPerText;
            piece();
          },
          end() {
            ended = true;
            if (left <= 0) events.end();
          },
          cancel() {},
          [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
        };
      },
      close() {},
    }),
  };
}

/** A model that ignores its abort signal and emits a word every 200 ms. */
export function deafModel(
  words: (request: number) => readonly string[],
): LanguageModel & { readonly requests: number } {
  let requests = 0;
  return {
    kind: 'llm',
    id: 'scripted',
    get requests() {
      return requests;
    },
    async *stream({ clock }) {
      requests += 1;
      for (const word of words(requests)) {
        yield { type: 'text', text: `${word} ` };
        await new Promise<void>((resolve) => {
          clock.setTimer(200, resolve);
        });
      }
    },
  };
}
