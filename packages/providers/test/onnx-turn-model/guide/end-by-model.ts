import { defaultTurnPolicy, type TurnPolicy } from '@va/core';

/** Ends a turn at once if the model is sure, waits longer if it expects more, and else follows the settings. */
export const turnPolicy: Partial<TurnPolicy> = {
  end: {
    ...defaultTurnPolicy.end,
    endsAtMs(situation) {
      const { endProbability, awaitsWords, lastSpeechAtMs } = situation.user;
      // A turn that ends before its words are recognized has none, and gets no reply.
      if (endProbability === null || awaitsWords) return defaultTurnPolicy.end.endsAtMs(situation);
      if (endProbability > 0.9) return lastSpeechAtMs + 250;
      return endProbability < 0.3 ? lastSpeechAtMs + 1_500 : defaultTurnPolicy.end.endsAtMs(situation);
    },
  },
};
