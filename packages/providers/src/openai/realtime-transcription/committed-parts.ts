/** A part of the audio that was committed. */
interface CommittedPart {
  /** Id of the client event that committed it. */
  readonly eventId: string;
  /** Number of `finalize` calls that it answers. */
  readonly answers: number;
  itemId: string | undefined;
  /** Its final words, once they are known. */
  text: string | undefined;
}

/** Final words of a part, and the number of `finalize` calls that it answers. */
export interface SettledPart {
  readonly text: string;
  readonly answers: number;
}

/** Maximum number of items with words. Beyond it, words of items without a committed part are dropped. */
const maxItems = 20;

/**
 * Assigns words to committed parts. The service names the item of a part in its answer to the commit, and completes
 * items in any order.
 */
export class CommittedParts {
  readonly #parts: CommittedPart[] = [];
  /** Words so far, by item. */
  readonly #texts = new Map<string, string>();
  #events = 0;

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** Number of `finalize` calls without an answer. */
  get answers(): number {
    return this.#parts.reduce((sum, { answers }) => sum + answers, 0);
  }

  /** Adds a part, and returns the id for its commit. */
  add(answers = 1): string {
    this.#events += 1;
    const eventId = `commit_${this.#events}`;
    this.#parts.push({ eventId, answers, itemId: undefined, text: undefined });
    return eventId;
  }

  /** Forgets the items of a connection; returns the number of unanswered `finalize` calls. */
  reset(): number {
    const { answers } = this;
    this.#parts.length = 0;
    this.#texts.clear();
    return answers;
  }

  committed(itemId: string): void {
    const part = this.#parts.find((each) => each.itemId === undefined && each.text === undefined);
    if (part !== undefined) part.itemId = itemId;
  }

  /**
   * Adds words. Returns all words of the item so far; undefined if an earlier part has not been completed, or if the
   * words were dropped.
   */
  addWords(itemId: string, delta: string): string | undefined {
    const first = this.#parts[0];
    const isKnown = this.#texts.has(itemId) || this.#parts.some((part) => part.itemId === itemId);
    if (!isKnown && this.#texts.size >= maxItems) return undefined;
    const text = (this.#texts.get(itemId) ?? '') + delta;
    this.#texts.set(itemId, text);
    return first?.itemId === undefined || first.itemId === itemId ? text : undefined;
  }

  /** Completes an item. Without `text`, because the service failed to transcribe it, its words so far are used. */
  complete(itemId: string, text?: string): SettledPart[] {
    const part = this.#parts.find((each) => each.itemId === itemId);
    if (part !== undefined) part.text = text ?? this.#texts.get(itemId) ?? '';
    this.#texts.delete(itemId);
    return this.#settled();
  }

  /** Completes a part without words, because the service has refused its commit for lack of audio. */
  refuse(eventId: string | undefined): SettledPart[] {
    const part = this.#parts.find((each) => each.eventId === eventId);
    if (part !== undefined) part.text = '';
    return this.#settled();
  }

  /** Completes all parts with their words so far. */
  giveUp(): SettledPart[] {
    // Without a response to a commit, its item is unknown: items are assigned to the parts in order.
    const rest = [...this.#texts.keys()].filter((id) => !this.#parts.some(({ itemId }) => itemId === id));
    for (const part of this.#parts) {
      const itemId = part.itemId ?? rest.shift();
      part.text ??= (itemId === undefined ? undefined : this.#texts.get(itemId)) ?? '';
    }
    this.#texts.clear();
    return this.#settled();
  }

  #settled(): SettledPart[] {
    const settled: SettledPart[] = [];
    for (;;) {
      const { text, answers } = this.#parts[0] ?? {};
      if (text === undefined || answers === undefined) return settled;
      settled.push({ text, answers });
      this.#parts.shift();
    }
  }
}
