/** Returns true if one of a name's TXT records matches the required one. */
export function txtMatches(expected: string, published: readonly string[]): boolean {
  const wanted = unquoted(expected);
  if (isSpf(wanted)) return spfMatches(wanted, published.filter(isSpf));
  const tags = tagsOf(wanted);
  if (tags !== null) return published.some((text) => hasTags(text, tags));
  return published.some((text) => collapsed(text) === collapsed(wanted));
}

/** Removes quotes, as used in zone files and by some providers. */
function unquoted(text: string): string {
  return text.trim().replace(/^"(.*)"$/s, '$1');
}

function collapsed(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

function isSpf(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text.trim());
}

/**
 * A name has one SPF record, so owners merge those of several services: every required term must be present, but the
 * final mechanism (`~all`, `-all`) is the owner's choice.
 * @see RFC 7208 §3.2, §4.5
 */
function spfMatches(expected: string, published: readonly string[]): boolean {
  const [only, ...others] = published;
  if (only === undefined || others.length > 0) return false;
  const terms = new Set(termsOf(only));
  return termsOf(expected).every((term) => terms.has(term) || /^[-~?+]?all$/.test(term));
}

function termsOf(spf: string): string[] {
  return collapsed(spf).toLowerCase().split(' ');
}

/**
 * Parses the tags of a DKIM or DMARC record; null for a text that is no tag list.
 * @see RFC 6376 §3.2
 */
function tagsOf(text: string): ReadonlyMap<string, string> | null {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim();
    if (/^\w+$/.test(name)) tags.set(name.toLowerCase(), withoutEscape(part.slice(equals + 1)).replace(/\s+/g, ''));
    else if (part.trim() !== '') return null;
  }
  return tags.size > 0 ? tags : null;
}

/** Some consoles publish the semicolon after a value as `\;`. */
function withoutEscape(value: string): string {
  const trimmed = value.trimEnd();
  return trimmed.endsWith('\\') ? trimmed.slice(0, -1) : trimmed;
}

/** Returns true if the text has all wanted tags. It may have more, such as `v=DKIM1` beside `p=…`. */
function hasTags(text: string, wanted: ReadonlyMap<string, string>): boolean {
  const tags = tagsOf(unquoted(text));
  return tags !== null && [...wanted].every(([name, value]) => tags.get(name) === value);
}
