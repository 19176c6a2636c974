import { EventQueue, type TextToSpeech, type TtsEvent, type TtsUtterance } from '@va/core/adapter';

/** Audio sent ahead of the playout, as by a synthesizer that is faster than real time but bounds its memory. */
const aheadMs = 5_000;
const chunkMs = 1_000;
const second = Uint8Array.from({ length: chunkMs * 8 }, (_, i) => 0x10 + (i % 0x70));

/** A synthesizer that speaks until it is stopped, regardless of the text. */
export function talkativeTts(): TextToSpeech {
  return {
    kind: 'tts',
    id: 'talkative',
    formats: [{ encoding: 'pcmu', sampleRateHz: 8_000 }],
    open: ({ signal }) => ({ speak: () => speak(signal), close() {} }),
  };
}

function speak(signal: AbortSignal): TtsUtterance {
  const events = new EventQueue<TtsEvent>();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    events.discard();
  };
  signal.addEventListener('abort', stop, { once: true });
  return {
    push() {
      if (timer !== undefined || signal.aborted) return;
      for (let givenMs = 0; givenMs < aheadMs; givenMs += chunkMs) events.push({ type: 'audio', audio: second });
      timer = setInterval(() => events.push({ type: 'audio', audio: second }), chunkMs);
    },
    end() {},
    cancel: stop,
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  };
}
