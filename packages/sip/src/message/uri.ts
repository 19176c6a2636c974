import { parseParams, type SipParams } from './tokens.ts';

/** A `sip:`, `sips:` or `tel:` URI. Escapes in `user` are kept; see {@link decodeUser}. */
interface SipUri {
  readonly scheme: 'sip' | 'sips' | 'tel';
  /** User part with its password, if any; for `tel:` the number. */
  readonly user: string | null;
  /** IPv6 literals are in brackets; empty for `tel:`. */
  readonly host: string;
  readonly port: number | null;
  readonly params: SipParams;
  /** Header part after the `?`, not decoded. */
  readonly headers: string;
}

const schemePattern = /^(sips?|tel):/i;
const hostNamePattern = /^[A-Za-z0-9_.-]+$/;
const ipv6Pattern = /^\[[0-9A-Fa-f:.]+\]$/;
const userPattern = /^[^\s<>"]*$/;

/** Splits `host:port`, where the host may be an IPv6 literal in brackets. Returns null when it is malformed. */
export function parseHostPort(text: string): { host: string; port: number | null } | null {
  const bracket = text.startsWith('[') ? text.indexOf(']') : -1;
  const colon = text.indexOf(':', bracket + 1);
  const host = (colon === -1 ? text : text.slice(0, colon)).trim();
  if (!hostNamePattern.test(host) && !ipv6Pattern.test(host)) return null;
  if (colon === -1) return { host, port: null };
  const digits = text.slice(colon + 1).trim();
  if (!/^\d{1,5}$/.test(digits)) return null;
  const port = Number(digits);
  return port <= 65_535 ? { host, port } : null;
}

function parseTel(rest: string): SipUri | null {
  const semicolon = rest.indexOf(';');
  const number = semicolon === -1 ? rest : rest.slice(0, semicolon);
  const params = parseParams(semicolon === -1 ? '' : rest.slice(semicolon));
  if (params === null || !/^[+0-9A-Fa-f*#().-]+$/.test(number)) return null;
  return { scheme: 'tel', user: number, host: '', port: null, params, headers: '' };
}

/**
 * Parses a `sip:`, `sips:` or `tel:` URI. Returns null when it is malformed or has another scheme.
 * @see RFC 3261 §19.1, RFC 3966
 */
export function parseUri(text: string): SipUri | null {
  const scheme = schemePattern.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return null;
  const rest = text.slice(scheme.length + 1);
  if (scheme === 'tel') return parseTel(rest);
  const at = rest.indexOf('@');
  const user = at === -1 ? null : rest.slice(0, at);
  if (user !== null && !userPattern.test(user)) return null;
  const afterUser = rest.slice(at + 1);
  const question = afterUser.indexOf('?');
  const beforeHeaders = question === -1 ? afterUser : afterUser.slice(0, question);
  const semicolon = beforeHeaders.indexOf(';');
  const authority = parseHostPort(semicolon === -1 ? beforeHeaders : beforeHeaders.slice(0, semicolon));
  const params = parseParams(semicolon === -1 ? '' : beforeHeaders.slice(semicolon));
  if (authority === null || params === null) return null;
  return {
    scheme: scheme === 'sips' ? 'sips' : 'sip',
    user,
    ...authority,
    params,
    headers: question === -1 ? '' : afterUser.slice(question + 1),
  };
}

/** Returns the scheme of any absolute URI in lower case; null when there is none. */
export function uriScheme(text: string): string | null {
  return /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** Returns the user part without escapes, password and user parameters. */
export function decodeUser(uri: SipUri): string {
  const user = /^[^:;]*/.exec(uri.user ?? '')?.[0] ?? '';
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}
