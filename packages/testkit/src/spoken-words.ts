/** A stretch of the caller's speech: its words are taken to be spread over it evenly. */
export interface SpokenStretch {
  readonly text: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What the caller says, word by word in time: what a recognizer that hears well makes of it. */
export class SpokenWords {
  readonly #words: { readonly word: string; readonly saidAtMs: number }[] = [];
  #settled = 0;

  /** Stretches come in their order. */
  add({ text, fromMs, toMs }: SpokenStretch): void {
    const words = text.split(' ').filter((word) => word !== '');
    for (const [index, word] of words.entries()) {
      this.#words.push({ word, saidAtMs: fromMs + ((toMs - fromMs) * (index + 1)) / words.length });
    }
  }

  /** The words that had been said by then and were not settled before; undefined where there are none. */
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
