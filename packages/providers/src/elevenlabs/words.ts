import type { WordTiming } from '@va/core';
import { type Fields, fieldsOf, numbersOf, stringsOf } from '../shared/json.ts';

interface TimedCharacter {
  readonly character: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** The characters of an `alignment`, with times from the first sample of the audio that it came with. */
function timedCharacters(message: Fields): TimedCharacter[] {
  const alignment = fieldsOf(message.alignment);
  if (alignment === undefined) return [];
  const starts = numbersOf(alignment.charStartTimesMs);
  const durations = numbersOf(alignment.charDurationsMs ?? alignment.charsDurationsMs);
  return stringsOf(alignment.chars).flatMap((character, at) => {
    const startMs = starts[at];
    return startMs === undefined ? [] : [{ character, startMs, endMs: startMs + (durations[at] ?? 0) }];
  });
}

/** Makes words of timed characters; a word may begin in one message and end in the next. */
export class WordAssembly {
  #word = '';
  #startMs = 0;
  #endMs = 0;

  /** The words that are complete with `message`, whose audio begins `offsetMs` into the utterance. */
  add(message: Fields, offsetMs: number): WordTiming[] {
    const words: WordTiming[] = [];
    for (const { character, startMs, endMs } of timedCharacters(message)) {
      if (/\s/.test(character)) {
        words.push(...this.end());
        continue;
      }
      if (this.#word === '') this.#startMs = offsetMs + startMs;
      this.#word += character;
      this.#endMs = offsetMs + endMs;
    }
    return words;
  }

  /** The word that was not followed by a space. */
  end(): WordTiming[] {
    if (this.#word === '') return [];
    const word = { text: this.#word, startMs: this.#startMs, endMs: this.#endMs };
    this.#word = '';
    return [word];
  }
}
