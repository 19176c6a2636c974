import pg from 'pg';

/** Vacuums the table of leads, as autovacuum does some time after many changes. */
export async function tidyUp(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('vacuum analyze va.leads');
  await client.query('checkpoint');
  await client.end();
}

/** Marks a share of each campaign's leads as called, the oldest first. */
export async function finishLeads(connectionString: string, share: number): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('select id from va.campaigns');
  for (const { id } of rows) {
    await client.query(
      `with called as (
         update va.leads set status = 'completed', call_id = gen_random_uuid(), attempts = 1, last_attempt_at = now(),
           next_attempt_at = null, last_end_reason = 'user_hangup', updated_at = now()
         where id in (
           select id from va.leads where campaign_id = $1 and status = 'pending' order by created_at, id
           limit (select ceil(total_leads * $2::float8)::bigint from va.campaigns where id = $1)
         ) returning id
       )
       update va.campaigns set pending_leads = pending_leads - (select count(*) from called),
         completed_leads = completed_leads + (select count(*) from called) where id = $1`,
      [id, share],
    );
  }
  await client.end();
}
