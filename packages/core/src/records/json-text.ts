/**
 * JSON kept as text, so that text that was received or sent is stored without being parsed. `JSON.stringify` gives the
 * value of the text. The object has no other properties.
 */
export class JsonText {
  readonly [key: string]: unknown;
  readonly #text: string;

  /** @param text valid JSON; it is not checked */
  constructor(text: string) {
    this.#text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.#text);
  }

  toString(): string {
    return this.#text;
  }
}
