import { formatParams, parseParams, quote, type SipParams, splitOutside, unquote } from './tokens.ts';

/** A `name-addr` or `addr-spec` with its header parameters, as in From, To, Contact and Route. */
export interface NameAddr {
  /** Without quotes and escapes; null if there is none. */
  readonly displayName: string | null;
  /** URI as received, of any scheme. */
  readonly uri: string;
  /** Header parameters, such as `tag`. */
  readonly params: SipParams;
}

/**
 * Parses one address. Returns null when it is malformed.
 * @see RFC 3261 §20.10
 */
export function parseNameAddr(text: string): NameAddr | null {
  const open = indexOutsideQuotes(text, '<');
  if (open === -1) {
    const semicolon = text.indexOf(';');
    const uri = (semicolon === -1 ? text : text.slice(0, semicolon)).trim();
    const params = parseParams(semicolon === -1 ? '' : text.slice(semicolon));
    if (params === null || !/^[A-Za-z][^\s<>"?,]*$/.test(uri)) return null;
    return { displayName: null, uri, params };
  }
  const close = text.indexOf('>', open);
  if (close === -1) return null;
  const display = text.slice(0, open).trim();
  const uri = text.slice(open + 1, close);
  const params = parseParams(text.slice(close + 1).trim());
  if (params === null || uri === '' || /[\s<"]/.test(uri) || !isDisplayName(display)) return null;
  return { displayName: display === '' ? null : unquote(display), uri, params };
}

/** Parses a comma-separated list of addresses. Returns null when one is malformed. */
export function parseNameAddrs(values: readonly string[]): NameAddr[] | null {
  const all: NameAddr[] = [];
  for (const value of values) {
    for (const part of splitOutside(value, ',') ?? ['']) {
      const parsed = parseNameAddr(part);
      if (parsed === null) return null;
      all.push(parsed);
    }
  }
  return all;
}

export function formatNameAddr(address: NameAddr): string {
  const display = address.displayName === null ? '' : `${quote(address.displayName)} `;
  return `${display}<${address.uri}>${formatParams(address.params)}`;
}

/** Returns the address with the tag that identifies the local end of a dialog. */
export function withTag(address: NameAddr, tag: string): NameAddr {
  return { ...address, params: new Map([...address.params, ['tag', tag]]) };
}

function isDisplayName(text: string): boolean {
  if (text.startsWith('"')) return /^"(?:[^"\\]|\\.)*"$/s.test(text);
  return !text.includes('"') && !/[;,:@]/.test(text);
}

function indexOutsideQuotes(text: string, wanted: string): number {
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quoted && char === '\\') i += 1;
    else if (char === '"') quoted = !quoted;
    else if (char === wanted && !quoted) return i;
  }
  return -1;
}
