import type { Party } from '@va/core/adapter';
import type { IncomingInvite } from './dialog/invite/incoming-invite.ts';
import { type NameAddr, parseNameAddr } from './message/name-addr.ts';
import { parseUri } from './message/uri.ts';
import { toParty } from './party.ts';

/**
 * Returns the candidates for the called party, most likely first: the Request-URI, P-Called-Party-ID (RFC 7315 §4.2)
 * and To. A registrar replaces the Request-URI by the registered Contact (RFC 3261 §16.6): the dialed number is then in
 * one of the other two. A trunk whose Request-URI is a host without a user part puts the number into To. After a
 * redirection To contains a foreign number: it comes last.
 */
export function dialedParties({
  envelope,
  request,
}: Pick<IncomingInvite, 'envelope' | 'request'>): [Party, ...Party[]] {
  const addresses: NameAddr[] = [];
  const requested = parseUri(request.uri)?.user ? parseNameAddr(`<${request.uri}>`) : null;
  if (requested !== null) addresses.push({ ...requested, displayName: envelope.to.displayName });
  const called = parseNameAddr(request.headers.get('P-Called-Party-ID') ?? '');
  if (called !== null && parseUri(called.uri)?.user) addresses.push(called);
  const [first, ...others] = [...addresses.map(toParty), toParty(envelope.to)];
  return first === undefined ? [toParty(envelope.to)] : [first, ...others];
}
