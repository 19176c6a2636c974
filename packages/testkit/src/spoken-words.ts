/** A stretch of the caller's speech, with its words spread evenly over it. */
export interface SpokenStretch {
  readonly text: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The caller's words by time: the output of a perfect recognizer. */
export class SpokenWords {
  readonly #words: { readonly word: string; readonly saidAtMs: number }[] = [];
  #settled = 0;

  /** Adds a stretch of speech. Stretches must be added in the order in which they were spoken. */
  add({ text, fromMs, toMs }: SpokenStretch): void {
    const words = text.split(' ').filter((word) => word !== '');
    for (const [index, word] of words.entries()) {
      this.#words.push({ word, saidAtMs: fromMs + ((toMs - fromMs) * (index + 1)) / words.length });
    }
  }

  /** Returns the words spoken until `untilMs` that no earlier `settle` returned; undefined if there are none. */
  settle(untilMs: number): string | undefined {
    const from = this.#settled;
    while ((this.#words[this.#settled]?.saidAtMs ?? Number.POSITIVE_INFINITY) <= untilMs) this.#settled += 1;
    if (this.#settled === from) return undefined;
    return this.#words
      .slice(from, this.#settled)
      .map(({ word }) => word)
      .join(' ');
  }
}
