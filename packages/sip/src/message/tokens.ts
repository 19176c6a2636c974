/** Parameters of a URI or header, with names in lower case. A parameter without a value has the empty string. */
export type SipParams = ReadonlyMap<string, string>;

const tokenPattern = /^[A-Za-z0-9\-.!%*_+`'~]+$/;
const parameterNamePattern = /^[A-Za-z0-9\-.!%*_+`'~[\]/:&$]+$/;

/** Tells whether the text is a `token` of RFC 3261 §25.1. */
export function isToken(text: string): boolean {
  return tokenPattern.test(text);
}

/**
 * Splits at a separator outside quoted strings and angle brackets, and trims each part. Returns null when a quote or
 * bracket is left open.
 */
export function splitOutside(text: string, separator: ',' | ';'): string[] | null {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  let bracketed = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quoted) {
      if (char === '\\') i += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '<') bracketed = true;
    else if (char === '>') bracketed = false;
    else if (char === separator && !bracketed) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  if (quoted || bracketed) return null;
  parts.push(text.slice(start).trim());
  return parts;
}

/** Returns the content of a quoted string without its escapes; other text is returned unchanged. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/gs, '$1');
}

export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Parses `;name=value;flag`. Returns null when it is malformed. */
export function parseParams(text: string): SipParams | null {
  const params = new Map<string, string>();
  if (text.trim() === '') return params;
  const parts = splitOutside(text, ';');
  if (parts === null || parts[0] !== '') return null;
  for (const part of parts.slice(1)) {
    const equals = part.indexOf('=');
    const name = (equals === -1 ? part : part.slice(0, equals)).trim();
    if (!parameterNamePattern.test(name)) return null;
    const key = name.toLowerCase();
    if (!params.has(key)) params.set(key, equals === -1 ? '' : unquote(part.slice(equals + 1).trim()));
  }
  return params;
}

export function formatParams(params: SipParams): string {
  let text = '';
  for (const [name, value] of params) {
    if (value === '') text += `;${name}`;
    else text += `;${name}=${parameterNamePattern.test(value) ? value : quote(value)}`;
  }
  return text;
}
