import { formatParams, isToken, parseParams, type SipParams } from './tokens.ts';
import { parseHostPort } from './uri.ts';

/** One hop of the path of a request. */
export interface Via {
  /** `UDP`, `TCP`, … in upper case. */
  readonly transport: string;
  readonly host: string;
  readonly port: number | null;
  readonly params: SipParams;
}

/** Prefix of branches that are unique to their transaction (RFC 3261 §8.1.1.7). */
export const branchCookie = 'z9hG4bK';

const viaPattern = /^SIP\s*\/\s*2\.0\s*\/\s*([^\s/;]+)\s+([^;]+)(;.*)?$/is;

/** Parses one Via element; null when it is malformed. @see RFC 3261 §20.42 */
export function parseVia(text: string): Via | null {
  const match = viaPattern.exec(text.trim());
  const transport = match?.[1] ?? '';
  const sentBy = parseHostPort((match?.[2] ?? '').trim());
  const params = parseParams(match?.[3] ?? '');
  if (match === null || !isToken(transport) || sentBy === null || params === null) return null;
  return { transport: transport.toUpperCase(), ...sentBy, params };
}

export function formatVia(via: Via): string {
  const port = via.port === null ? '' : `:${via.port}`;
  return `SIP/2.0/${via.transport} ${via.host}${port}${formatParams(via.params)}`;
}
