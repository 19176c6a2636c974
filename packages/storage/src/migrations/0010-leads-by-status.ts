import type { Migration } from './migration.ts';

/** A page of the leads of a campaign that have one status, and no index that only an import had to do with. */
export const leadsByStatus: Migration = {
  version: 10,
  name: 'leads-by-status',
  statements: [
    // Leads are looked up by their campaign, never by their organization alone.
    'drop index {schema}.leads_oldest',
    // A lead that is imported is pending, and enters it later, one at a time.
    `create index leads_by_status on {schema}.leads (org_id, campaign_id, status, created_at, id)
      where status <> 'pending'`,
  ],
};
