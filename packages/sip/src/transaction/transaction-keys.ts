import type { Envelope } from '../message/envelope.ts';
import { branchCookie } from '../message/via.ts';

/**
 * Returns the key of a request's server transaction. For an ACK or CANCEL, `method` is `INVITE`, to find the
 * transaction of its INVITE.
 * @see RFC 3261 §17.2.3
 */
export function serverKey(envelope: Envelope, method: string): string {
  const { via, fromTag, callId, cseq } = envelope;
  const branch = via.params.get('branch') ?? '';
  const sentBy = `${via.host.toLowerCase()}:${via.port ?? ''}`;
  if (branch.startsWith(branchCookie) && branch.length > branchCookie.length) return `${branch}|${sentBy}|${method}`;
  return `${callId}|${fromTag}|${cseq.number}|${sentBy}|${method}`;
}

/** Key of a response's client transaction. @see RFC 3261 §17.1.3 */
export function clientKey(envelope: Envelope): string {
  return `${envelope.via.params.get('branch') ?? ''}|${envelope.cseq.method}`;
}

/** Key that two copies of one request share when they arrived on different paths. @see RFC 3261 §8.2.2.2 */
export function mergeKey(envelope: Envelope): string {
  return `${envelope.callId}|${envelope.fromTag}|${envelope.cseq.number}|${envelope.cseq.method}`;
}
