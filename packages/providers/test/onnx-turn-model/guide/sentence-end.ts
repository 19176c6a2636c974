import type { TurnModel } from '@va/core/adapter';

/** Asks a server of your own about the words. */
export function sentenceEnd(url: string): TurnModel {
  return {
    id: 'sentence-end',
    usesText: true,
    async judge({ text, language, signal }) {
      const body = JSON.stringify({ text, language });
      const response = await fetch(url, { method: 'POST', body, signal });
      const { probability } = (await response.json()) as { probability: number };
      return probability;
    },
  };
}
