const maxTokens = 500;
const charactersPerToken = 4;

/** Returns whether the service would take the key terms: it counts tokens, here estimated from the characters. */
export function fitKeyterms(terms: readonly string[]): boolean {
  return terms.reduce((sum, term) => sum + Math.ceil(term.length / charactersPerToken), 0) <= maxTokens;
}

export function keytermsOf(message: Record<string, unknown>): string[] | null {
  return Array.isArray(message.keyterms) ? message.keyterms.map(String) : null;
}
