/** The service rejects connections with more tokens, and stops transcribing after an update with more. */
const maxTokens = 500;
const maxTerms = 100;
/** Conservative estimate: names take more tokens than common words. */
const charactersPerToken = 3;

/** Returns the terms, in order, that fit the limit of the service. */
export function fittingKeyterms(terms: readonly string[]): string[] {
  let tokens = 0;
  return terms.slice(0, maxTerms).filter((term) => {
    const needed = Math.ceil(term.length / charactersPerToken);
    if (term.trim() === '' || tokens + needed > maxTokens) return false;
    tokens += needed;
    return true;
  });
}

/** Returns name and values of the query parameter for key terms: models before Nova-3 accept single words. */
export function keytermQuery(model: string, terms: readonly string[]): Record<string, readonly string[]> {
  if (terms.length === 0) return {};
  if (takesKeyterms(model)) return { keyterm: terms };
  return { keywords: [...new Set(terms.flatMap((term) => term.trim().split(/\s+/)))].slice(0, maxTerms) };
}

/** Returns true for a model that accepts key terms of several words (`keyterm`). */
export function takesKeyterms(model: string): boolean {
  return model.startsWith('nova-3') || model.startsWith('flux');
}
