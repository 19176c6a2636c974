import { timestamp } from '../clock/timestamp.ts';
import type { Organization } from '../domain/organization.ts';
import { UniqueViolation } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Storage } from '../ports/storage.ts';

/** One id for all deployments, so that two nodes that start at once make one organization between them. */
const defaultOrganizationId = '00000000-0000-7000-8000-000000000001';

export interface OrganizationOperations {
  /** The organization of a deployment for one tenant: the oldest one, made when there is none. */
  ensureDefault(): Promise<Organization>;
}

export function createOrganizationOperations(deps: {
  readonly storage: Storage;
  readonly clock: Clock;
}): OrganizationOperations {
  const { storage, clock } = deps;

  async function oldest(): Promise<Organization | undefined> {
    const organizations = await storage.organizations.list();
    return organizations.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))[0];
  }

  return {
    async ensureDefault() {
      const existing = await oldest();
      if (existing !== undefined) return existing;
      const organization: Organization = {
        id: defaultOrganizationId,
        name: 'Default',
        plan: 'self-hosted',
        webhook_url: null,
        webhook_secret: null,
        created_at: timestamp(clock),
      };
      try {
        await storage.organizations.insert(organization);
        return organization;
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error;
        return (await storage.organizations.get(defaultOrganizationId)) ?? organization;
      }
    },
  };
}
