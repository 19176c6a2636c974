import type { Party } from '@va/core/adapter';
import type { NameAddr } from './message/name-addr.ts';
import { decodeUser, parseUri } from './message/uri.ts';

const e164Pattern = /^\+[1-9]\d{1,14}$/;
const visualSeparators = /[-.()\s]/g;

/** Converts an address to a party: the E.164 number of its user part if it is one, else the user part unchanged. */
export function toParty(address: NameAddr): Party {
  const uri = parseUri(address.uri);
  const user = uri === null ? '' : decodeUser(uri);
  const dialed = user.replace(visualSeparators, '');
  return {
    number: e164Pattern.test(dialed) ? dialed : user,
    displayName: address.displayName,
    uri: address.uri,
  };
}
