import { EventQueue } from '../../../src/async/event-queue.ts';
import type { PipelineOptions } from '../../../src/conversation/runner/pipeline.ts';
import type { VoiceEffect } from '../../../src/conversation/state/effects.ts';
import type { TtsEvent, TtsUtterance } from '../../../src/ports/providers/text-to-speech.ts';
import type { Synthesizer } from '../../../src/providers/fixed-speech.ts';

/** An utterance whose events the test gives. */
export interface SpokenUtterance extends TtsUtterance {
  readonly voice: string;
  readonly fixed: boolean;
  readonly pushed: string[];
  readonly events: EventQueue<TtsEvent>;
  hasEnded: boolean;
  cancelled: number;
}

/** A synthesizer that adds its utterances to `spoken`, and throws while there is a failure. */
export function voiceOf(voice: string, spoken: SpokenUtterance[], failure: () => Error | null): Synthesizer {
  return {
    speak({ fixed = false } = {}) {
      const error = failure();
      if (error !== null) throw error;
      const events = new EventQueue<TtsEvent>();
      const utterance: SpokenUtterance = {
        voice,
        fixed,
        pushed: [],
        events,
        hasEnded: false,
        cancelled: 0,
        push: (text) => void utterance.pushed.push(text),
        end() {
          utterance.hasEnded = true;
        },
        cancel() {
          utterance.cancelled += 1;
          events.discard();
        },
        [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
      };
      spoken.push(utterance);
      return utterance;
    },
    close() {},
  };
}

/** The providers of a pipeline, whose requests are written to the log of the time. */
export function watchedBy(log: () => string[]): NonNullable<PipelineOptions['watched']> {
  return {
    recognizer: { kind: 'stt', id: 'ears' },
    model: { kind: 'llm', id: 'brain' },
    synthesizer: { kind: 'tts', id: 'mouth' },
    watch: {
      begin({ kind }, model) {
        log().push(model === undefined ? `begin ${kind}` : `begin ${kind} ${model}`);
        return {
          used: ({ outputTokens }) => void log().push(`used ${kind} ${outputTokens}`),
          failed: () => void log().push(`failed ${kind} request`),
          ended: () => void log().push(`ended ${kind}`),
        };
      },
      failed: ({ kind, id }) => void log().push(`failed ${kind} ${id}`),
    },
  };
}

/** The commands of a playout except `play`, each noted under its name by a function of `noted`. */
export function playoutCalls(noted: (name: string) => (value?: unknown) => void) {
  return {
    open: noted('open'),
    finish: noted('finish'),
    clear: noted('clear'),
    pause: noted('pause'),
    resume: noted('resume'),
    setLevel: noted('level'),
    setHold: noted('hold'),
    setTakenOver: noted('taken over'),
  };
}

export const open = (utterance: number, fixed = false): VoiceEffect => ({
  type: 'open-utterance',
  utterance,
  generation: null,
  fixed,
});
export const speak = (utterance: number, text: string): VoiceEffect => ({ type: 'speak', utterance, text });
export const start = (generation: number, withTools = true): VoiceEffect => ({
  type: 'start-llm',
  generation,
  withTools,
  messages: [{ role: 'user', content: 'Hi' }],
});
export const audio = (bytes: number): TtsEvent => ({ type: 'audio', audio: new Uint8Array(bytes) });
