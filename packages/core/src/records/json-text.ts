/**
 * JSON that is known by its text, for a field of a record that is only written: so that what was received or sent as text need not be parsed
 * to be stored. Wherever it is made JSON of, it is what its text says; its own keys tell nothing.
 */
export class JsonText {
  readonly [key: string]: unknown;
  readonly #text: string;

  /** The text has to be JSON: nobody looks. */
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
