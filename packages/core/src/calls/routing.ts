import type { Agent } from '../domain/agent.ts';
import type { Organization } from '../domain/organization.ts';
import type { PhoneNumberRecord } from '../domain/phone-number.ts';
import { VaError } from '../errors.ts';
import type { Storage } from '../ports/storage.ts';

/** Whom an inbound call reaches. */
export interface Route {
  readonly organization: Organization;
  readonly number: PhoneNumberRecord;
  readonly agent: Agent | null;
}

/** Null where nobody has registered the number. */
export async function routeInbound(storage: Storage, dialed: string): Promise<Route | null> {
  const found = await storage.numbers.findByNumber(dialed);
  if (found === null) return null;
  const { orgId, number } = found;
  const [organization, agent] = await Promise.all([
    storage.organizations.get(orgId),
    number.agent_id === null ? null : storage.agents.get(orgId, number.agent_id),
  ]);
  if (organization === null) {
    throw new VaError('internal_error', `The number ${dialed} belongs to an organization that does not exist.`);
  }
  return { organization, number, agent };
}
