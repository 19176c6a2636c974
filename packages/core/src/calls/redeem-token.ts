import type { CallGrant } from '../ports/call-display.ts';
import type { Clock } from '../ports/clock.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { RedeemedGrant } from './origin/redeemed-grant.ts';
import { SupervisionGrant } from './supervision/supervision-grant.ts';
import { tokenKind } from './token.ts';

/**
 * Redeems the token of a browser. Returns null if the text is not a token, or the token is unknown, expired, used,
 * revoked, or issued for a page of another origin.
 *
 * @param origin value of the header `Origin`; null without
 */
export async function redeemToken(
  deps: { readonly storage: Storage; readonly clock: Clock },
  token: string,
  origin: string | null,
): Promise<CallGrant | null> {
  switch (tokenKind(token)) {
    case 'call':
      return await RedeemedGrant.redeem(deps, token, origin);
    case 'supervision':
      return await SupervisionGrant.redeem(deps, token);
    case null:
      return null;
  }
}
