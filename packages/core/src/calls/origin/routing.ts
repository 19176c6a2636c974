import type { OrganizationRecord } from '../../domain/accounts/organization.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import type { PhoneNumberRecord } from '../../domain/numbers/phone-number.ts';
import { VaError } from '../../errors.ts';
import type { Owned } from '../../ports/storage/collection.ts';
import type { Storage } from '../../ports/storage/storage.ts';

/** Destination of an inbound call. */
export interface NumberRoute {
  readonly organization: OrganizationRecord;
  readonly number: PhoneNumberRecord;
  readonly agent: Agent | null;
}

/** Returns a number with its organization; null if it is not registered. */
async function findNumber(storage: Storage, dialed: string): Promise<Owned<PhoneNumberRecord> | null> {
  const [found] = await storage.across.numbers.find({ where: { number: dialed } }, 1);
  return found ?? null;
}

/**
 * Returns the destination of an inbound call; null if the number is not registered.
 * @param known the number, if it was looked up before
 */
export async function routeInbound(
  storage: Storage,
  dialed: string,
  known: Owned<PhoneNumberRecord> | null = null,
): Promise<NumberRoute | null> {
  const found = known ?? (await findNumber(storage, dialed));
  if (found === null) return null;
  const { orgId, record: number } = found;
  const [organization, agent] = await Promise.all([
    storage.organizations.get(orgId, orgId),
    number.agent_id === null ? null : storage.agents.get(orgId, number.agent_id),
  ]);
  if (organization === null) {
    throw new VaError('internal_error', `The number ${dialed} belongs to an organization that does not exist.`);
  }
  return { organization, number, agent };
}
