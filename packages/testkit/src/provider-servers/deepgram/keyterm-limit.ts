const maxTokens = 500;
const charactersPerToken = 4;

/** Returns true if the service would accept the key terms. It counts tokens, estimated here from the characters. */
export function fitKeyterms(terms: readonly string[]): boolean {
  return terms.reduce((sum, term) => sum + Math.ceil(term.length / charactersPerToken), 0) <= maxTokens;
}

/** Returns the key terms of a `Configure` message, or null without any. */
export function keytermsOf(message: Record<string, unknown>): string[] | null {
  return Array.isArray(message.keyterms) ? message.keyterms.map(String) : null;
}
