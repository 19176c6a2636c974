import { describe, expect, it } from 'vitest';
import { OrganizationShares, type OrganizationSharesOptions } from '../../../src/calls/limits/organization-shares.ts';
import { refusal } from '../../operations/support.ts';
import { untyped } from '../../support/untyped.ts';

const acme = { id: 'acme', concurrency_limit: null };
const other = { id: 'other', concurrency_limit: null };

/** Shares of a process whose storage has some organizations, or is down. */
function sharesOf(
  options: Partial<Pick<OrganizationSharesOptions, 'maxCalls' | 'limits'>>,
  stored: { organizations: number; isDown?: boolean } = { organizations: 2 },
): OrganizationShares {
  const find = async (_query: object, limit: number): Promise<unknown[]> => {
    if (stored.isDown === true) throw new Error('the database is down');
    return Array.from({ length: Math.min(limit, stored.organizations) });
  };
  const storage: OrganizationSharesOptions['storage'] = untyped({ across: { organizations: { find } } });
  return new OrganizationShares({ storage, maxCalls: 8, ...options });
}

/** Returns how many outbound calls an organization gets before one is refused, and the code of that refusal. */
async function outboundUntilRefused(shares: OrganizationShares): Promise<[number, string]> {
  for (let taken = 0; ; taken += 1) {
    const result = await shares.takeOutbound(acme).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (result !== null) return [taken, (result as { code: string }).code];
  }
}

describe('OrganizationShares', () => {
  it.each([
    [8, 4],
    [3, 1],
    [1, 1],
  ])('gives each of several organizations half of %i calls, at least one', async (maxCalls, share) => {
    const shares = sharesOf({ maxCalls });
    for (let taken = 0; taken < share; taken += 1) expect(await shares.takeInbound(acme)).not.toBeNull();
    expect(await shares.takeInbound(acme)).toBeNull();
    expect(await shares.takeInbound(other)).not.toBeNull();
  });

  it('lets a quarter of the calls ring at the same time', async () => {
    expect(await outboundUntilRefused(sharesOf({}))).toEqual([2, 'too_many_ringing_calls']);
  });

  it('says after how many seconds to retry', async () => {
    const shares = sharesOf({ limits: { maxRingingCallsPerOrganization: 1 } });
    await shares.takeOutbound(acme);
    expect(await refusal(shares.takeOutbound(acme))).toMatchObject({ status: 429, retryAfterSeconds: 5 });
  });

  it('does not count a call that was refused because too many are ringing', async () => {
    const shares = sharesOf({ limits: { maxCallsPerOrganization: 2, maxRingingCallsPerOrganization: 1 } });
    const ringing = await shares.takeOutbound(acme);
    await refusal(shares.takeOutbound(acme));
    ringing.answered();
    await shares.takeOutbound(acme);
    expect(await shares.takeInbound(acme)).toBeNull();
  });

  it('frees the share of a call once, however often its end is reported', async () => {
    const shares = sharesOf({ limits: { maxCallsPerOrganization: 2 } });
    const [first] = [await shares.takeInbound(acme), await shares.takeInbound(acme)];
    first?.end();
    first?.end();
    expect(await shares.takeInbound(acme)).not.toBeNull();
    expect(await shares.takeInbound(acme)).toBeNull();
  });

  it('stops counting a call as ringing once, whether it is answered or ends', async () => {
    const shares = sharesOf({ limits: { maxCallsPerOrganization: 0, maxRingingCallsPerOrganization: 2 } });
    const [first] = [await shares.takeOutbound(acme), await shares.takeOutbound(acme)];
    first.answered();
    first.answered();
    first.end();
    await shares.takeOutbound(acme);
    expect(await refusal(shares.takeOutbound(acme))).toMatchObject({ code: 'too_many_ringing_calls' });
  });

  it('leaves the calls of an organization with its own limit to that limit, but not the ringing ones', async () => {
    const shares = sharesOf({ limits: { maxCallsPerOrganization: 1, maxRingingCallsPerOrganization: 1 } });
    const limited = { id: 'acme', concurrency_limit: 5 };
    await shares.takeInbound(limited);
    await shares.takeOutbound(limited);
    expect(await refusal(shares.takeOutbound(limited))).toMatchObject({ code: 'too_many_ringing_calls' });
  });

  it('applies default shares only when a second organization exists', async () => {
    const stored = { organizations: 1 };
    const shares = sharesOf({ maxCalls: 2 }, stored);
    for (let taken = 0; taken < 5; taken += 1) expect(await shares.takeInbound(acme)).not.toBeNull();
    stored.organizations = 2;
    expect(await shares.takeInbound(acme)).toBeNull();
  });

  it('does not count a call whose look-up of organizations failed', async () => {
    const stored = { organizations: 2, isDown: true };
    const shares = sharesOf({ maxCalls: 2 }, stored);
    const only = await shares.takeInbound(acme);
    await expect(shares.takeInbound(acme)).rejects.toThrow('the database is down');
    stored.isDown = false;
    only?.end();
    expect(await shares.takeInbound(acme)).not.toBeNull();
  });
});
