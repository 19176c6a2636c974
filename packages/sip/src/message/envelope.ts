import type { SipMessage } from './message.ts';
import { type NameAddr, parseNameAddr, parseNameAddrs } from './name-addr.ts';
import { isToken } from './tokens.ts';
import { parseVia, type Via } from './via.ts';

/** Sequence number and method of a request. @see RFC 3261 §20.16 */
interface CSeq {
  readonly number: number;
  readonly method: string;
}

/** The mandatory header fields of a message, parsed. */
export interface Envelope {
  /** Topmost Via: the previous hop. */
  readonly via: Via;
  readonly from: NameAddr;
  readonly fromTag: string;
  readonly to: NameAddr;
  /** Empty until the peer has assigned its tag. */
  readonly toTag: string;
  readonly callId: string;
  readonly cseq: CSeq;
}

const singleFields = ['From', 'To', 'Call-ID', 'CSeq', 'Max-Forwards'];

function parseCSeq(text: string): CSeq | null {
  const match = /^(\d{1,10})\s+(\S+)$/.exec(text);
  const number = Number(match?.[1]);
  const method = match?.[2] ?? '';
  return match !== null && number < 2 ** 31 && isToken(method) ? { number, method } : null;
}

/**
 * Returns whether the Contact fields can be parsed. `*` is allowed: a REGISTER addresses all bindings with it (RFC 3261
 * §10.2.2).
 */
function hasReadableContacts({ headers }: SipMessage): boolean {
  const contacts = headers.all('Contact');
  return (contacts.length === 1 && contacts[0] === '*') || parseNameAddrs(contacts) !== null;
}

/**
 * Reads the fields that RFC 3261 §8.1.1 makes mandatory. Returns a sentence that describes the fault if a field is
 * missing, repeated or malformed.
 */
export function readEnvelope(message: SipMessage): Envelope | string {
  const { headers } = message;
  for (const name of singleFields) {
    if (headers.all(name).length > 1) return `Repeated ${name}`;
  }
  const via = parseVia(headers.list('Via')[0] ?? '');
  if (via === null) return 'Malformed Via';
  const from = parseNameAddr(headers.get('From') ?? '');
  if (from === null) return 'Malformed From';
  const to = parseNameAddr(headers.get('To') ?? '');
  if (to === null) return 'Malformed To';
  const callId = headers.get('Call-ID') ?? '';
  if (!/^\S+$/.test(callId)) return 'Malformed Call-ID';
  const cseq = parseCSeq(headers.get('CSeq') ?? '');
  if (cseq === null) return 'Malformed CSeq';
  if (message.kind === 'request') {
    if (cseq.method !== message.method) return 'CSeq Method Does Not Match Request Method';
    const hops = headers.get('Max-Forwards');
    if (hops !== undefined && !(/^\d{1,10}$/.test(hops) && Number(hops) <= 255)) return 'Malformed Max-Forwards';
    if (!hasReadableContacts(message)) return 'Malformed Contact';
  } else if (headers.list('Via').length > 1) {
    // The response would belong to a previous hop, and a user agent has none (RFC 3261 §8.1.3.3).
    return 'A Response With Several Vias';
  }
  return { via, from, fromTag: from.params.get('tag') ?? '', to, toTag: to.params.get('tag') ?? '', callId, cseq };
}
