import type { WordTiming } from '@va/core/adapter';
import { fieldsOf, itemsOf, type VendorFields } from '../shared/json.ts';

interface TimedCharacter {
  readonly character: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Returns the characters of an `alignment`, with times from the first sample of the audio in the same message. */
function timedCharacters(message: VendorFields): TimedCharacter[] {
  const alignment = fieldsOf(message.alignment);
  if (alignment === undefined) return [];
  const starts = itemsOf(alignment.charStartTimesMs);
  const durations = itemsOf(alignment.charDurationsMs ?? alignment.charsDurationsMs);
  return itemsOf(alignment.chars).flatMap((character, at) => {
    const startMs = starts[at];
    const durationMs = durations[at];
    if (typeof character !== 'string' || typeof startMs !== 'number') return [];
    return [{ character, startMs, endMs: startMs + (typeof durationMs === 'number' ? durationMs : 0) }];
  });
}

/** Returns the number of characters that repeat the end of `spoken`; only the rest of them continues `text`. */
function repeatedCount(characters: string, spoken: string, text: string): number {
  const rest = text.slice(spoken.length);
  if (!text.startsWith(spoken) || rest.startsWith(characters)) return 0;
  for (let count = Math.min(characters.length, spoken.length); count > 0; count--) {
    const isRepeated = spoken.endsWith(characters.slice(0, count)) && rest.startsWith(characters.slice(count));
    if (isRepeated) return count;
  }
  return 0;
}

/** Combines timed characters to words; a word may begin in one message and end in the next. */
export class WordAssembly {
  #word = '';
  #startMs = 0;
  #endMs = 0;
  /** All characters so far, and the end time of the last one. */
  #spoken = '';
  #spokenMs = 0;

  /**
   * Returns the words that are complete with `message`, whose audio begins `offsetMs` into the utterance. The service
   * sometimes sends the alignment of a sentence twice: characters that repeat earlier ones are skipped.
   * @param text all text of the utterance so far
   */
  add(message: VendorFields, offsetMs: number, text: string): WordTiming[] {
    const timed = timedCharacters(message);
    const repeated = repeatedCount(timed.map(({ character }) => character).join(''), this.#spoken, text);
    const lastRepeated = repeated === 0 ? undefined : timed[repeated - 1];
    // The times of a repetition count from the start of the repeated text, not from this message's audio.
    const baseMs = lastRepeated === undefined ? offsetMs : this.#spokenMs - lastRepeated.endMs;
    return timed.slice(repeated).flatMap((each) => this.#push(each, baseMs));
  }

  /** Returns the last word, which no space follows. */
  end(): WordTiming[] {
    if (this.#word === '') return [];
    const word = { text: this.#word, startMs: this.#startMs, endMs: this.#endMs };
    this.#word = '';
    return [word];
  }

  #push({ character, startMs, endMs }: TimedCharacter, baseMs: number): WordTiming[] {
    this.#spoken += character;
    this.#spokenMs = baseMs + endMs;
    if (/\s/.test(character)) return this.end();
    if (this.#word === '') this.#startMs = baseMs + startMs;
    this.#word += character;
    this.#endMs = baseMs + endMs;
    return [];
  }
}
