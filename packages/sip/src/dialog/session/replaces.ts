import type { SipRequest } from '../../message/message.ts';
import { parseParams } from '../../message/tokens.ts';

/** Identifies the call that a new one is to replace, with the tags as the recipient sees them. @see RFC 3891 §3 */
export interface Replaces {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  readonly earlyOnly: boolean;
}

/** Reads Replaces; null when it is missing, undefined when it is malformed or repeated. @see RFC 3891 §6.1 */
export function readReplaces(request: SipRequest): Replaces | null | undefined {
  const [text, ...others] = request.headers.all('Replaces');
  if (text === undefined) return null;
  const semicolon = text.indexOf(';');
  const callId = text.slice(0, Math.max(0, semicolon)).trim();
  const params = semicolon === -1 ? null : parseParams(text.slice(semicolon));
  const localTag = params?.get('to-tag');
  const remoteTag = params?.get('from-tag');
  if (others.length > 0 || !/^\S+$/.test(callId) || localTag === undefined || remoteTag === undefined) return undefined;
  return { callId, localTag, remoteTag, earlyOnly: params?.has('early-only') ?? false };
}

/** Formats a Replaces value in the recipient's view, in which the local tag is the remote one. */
export function formatReplaces(dialog: { callId: string; localTag: string; remoteTag: string }): string {
  return `${dialog.callId};to-tag=${dialog.remoteTag};from-tag=${dialog.localTag}`;
}

/** Returns the address with a Replaces field for an INVITE to it, for Refer-To. @see RFC 3891 §4 */
export function withReplaces(uri: string, replaces: string): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}Replaces=${encodeURIComponent(replaces)}`;
}
