import { isToken, type SipParams, splitOutside, unquote } from '../message/tokens.ts';

const schemePattern = /^digest\s+/i;

/**
 * Parses the parameters of a `Digest` challenge or of its credentials, with names in lower case and values without
 * quotes. Returns null for another scheme or malformed input.
 * @see RFC 3261 §25.1 (challenge, digest-response)
 */
export function parseDigestParams(text: string): SipParams | null {
  const scheme = schemePattern.exec(text)?.[0];
  const parts = scheme === undefined ? null : splitOutside(text.slice(scheme.length), ',');
  if (parts === null) return null;
  const params = new Map<string, string>();
  for (const part of parts) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (!isToken(name) || params.has(name)) return null;
    params.set(name, unquote(part.slice(equals + 1).trim()));
  }
  return params;
}
