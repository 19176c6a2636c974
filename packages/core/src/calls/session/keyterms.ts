import { fillTemplate } from '../template.ts';

/** Maximum length of a term; longer values would use up the recognizers' limits. */
const maxCharacters = 100;

/** The key terms of one call: those of `stt_config`, filled with the call's variables. */
export class Keyterms {
  readonly #templates: readonly string[];
  readonly #listeners = new Set<(terms: readonly string[]) => void>();
  #current: readonly string[];

  constructor(templates: readonly string[] = [], variables: Readonly<Record<string, unknown>> | null = null) {
    this.#templates = templates;
    this.#current = filled(templates, variables);
  }

  get current(): readonly string[] {
    return this.#current;
  }

  /** Calls the listener with the terms after each change. Returns a function that removes it. */
  onChange(listener: (terms: readonly string[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  setVariables(variables: Readonly<Record<string, unknown>>): void {
    const terms = filled(this.#templates, variables);
    if (terms.join('\n') === this.#current.join('\n')) return;
    this.#current = terms;
    for (const listener of this.#listeners) listener(terms);
  }
}

/** Returns the filled terms without those that are empty, too long or repeated. */
function filled(templates: readonly string[], variables: Readonly<Record<string, unknown>> | null): string[] {
  const terms = templates.map((template) =>
    fillTemplate(template, variables ?? {})
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return [...new Set(terms)].filter((term) => term !== '' && term.length <= maxCharacters);
}
