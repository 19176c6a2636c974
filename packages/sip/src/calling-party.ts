import type { Party } from '@va/core/adapter';
import type { IncomingInvite } from './dialog/invite/incoming-invite.ts';
import { parseNameAddrs } from './message/name-addr.ts';
import { toParty } from './party.ts';

/**
 * Returns the caller. P-Asserted-Identity, verified by a trusted trunk, takes precedence over From, unless the caller
 * asked for privacy: then the asserted identity must not be shown (RFC 3325 §7).
 */
export function callingParty(
  { envelope, request }: Pick<IncomingInvite, 'envelope' | 'request'>,
  isTrusted: boolean,
): Party {
  const from = toParty(envelope.from);
  const privacy = request.headers.all('Privacy').flatMap((value) => value.toLowerCase().split(/[;,\s]+/));
  if (!isTrusted || privacy.includes('id') || privacy.includes('user')) return from;
  const asserted = parseNameAddrs(request.headers.all('P-Asserted-Identity')) ?? [];
  // At most one SIP and one tel URI; a number is preferred over a name.
  const parties = asserted.map(toParty);
  const party = parties.find(({ number }) => number.startsWith('+')) ?? parties[0];
  if (party === undefined || party.number === '') return from;
  const displayName = party.displayName ?? parties.find((each) => each.displayName !== null)?.displayName ?? null;
  return { ...party, displayName: displayName ?? from.displayName };
}
